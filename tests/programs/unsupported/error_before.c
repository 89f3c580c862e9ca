// expect: false(unreach-call) line 8
// What cannot be followed on one path does not hide an error on another.
#include <assert.h>
int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x > 5) __asm__ volatile("hlt");
  assert(x != 3 && x >= 0);
  return 0;
}
