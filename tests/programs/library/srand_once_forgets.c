// expect: true
// proved-by: explicit
// A program that seeds once carries no table of numbers: endlessly many of them are finitely many states.
#include <assert.h>
#include <stdlib.h>
#include <time.h>
int main(void) {
  srand((unsigned)time(0));
  int n = 0;
  for (;;) {
    n = rand() % 3;
    assert(n >= 0 && n < 3);
  }
}
