// expect: false(unreach-call) line 16
// hard-for: explicit
// The outer loop stops one round too early.
#include <assert.h>
int __VERIFIER_nondet_int(void);
int main(void) {
  int a[4];
  for (int i = 0; i < 4; i++) a[i] = __VERIFIER_nondet_int();
  for (int round = 0; round < 2; round++)
    for (int i = 0; i < 3 - round; i++)
      if (a[i] > a[i + 1]) {
        int t = a[i];
        a[i] = a[i + 1];
        a[i + 1] = t;
      }
  for (int i = 0; i < 3; i++) assert(a[i] <= a[i + 1]);
  return 0;
}
