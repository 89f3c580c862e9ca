// expect: true
// What initialisers name has its value, and so has all of a static union, and of one that is {0}.
#include <assert.h>
union word { int whole; char first; };
struct record { char kind; union word word; };
static union word kept = {.first = 1};
int main(void) {
  assert(kept.whole == 1);
  union word zero = {0};
  assert(zero.whole == 0);
  struct record record = {2, {.first = 1}};
  assert(record.kind == 2 && record.word.first == 1);
  return 0;
}
