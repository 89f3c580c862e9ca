// An address goes through an int, and comes back in another function: on a computer it would be another one.
// expect: unknown
#include <assert.h>

static int *back(int a) { return (int *)(long)a; }
int main(void) {
  int x = 3;
  int cut = (int)(long)&x;
  *back(cut) = 4;
  assert(x == 4);
  return 0;
}
