// expect: false(unreach-call) line 22
// hard-for: test explicit dpr guided merge dash
#include <assert.h>
#include <setjmp.h>
extern int __VERIFIER_nondet_int(void);
static jmp_buf outer, inner;
static int caught;
static void fail(int which) {
  if (which == 1) longjmp(outer, 1);
  if (which == 2) longjmp(inner, 2);
}
static void work(int which) {
  if (setjmp(inner)) {
    caught = 2;
    return;
  }
  fail(which);
}
int main(void) {
  if (setjmp(outer)) caught = 1;
  if (!caught) work(__VERIFIER_nondet_int());
  assert(caught != 2);
  return 0;
}
