// expect: false(unreach-call) line 10
// hard-for: explicit dpr
#include <assert.h>
#include <klee/klee.h>
struct request { int kind; unsigned char flags; };
int main(void) {
  struct request r;
  klee_make_symbolic(&r, sizeof r, "r");
  klee_assume(r.kind > 3);
  klee_assert(r.flags < 128);
  return 0;
}
