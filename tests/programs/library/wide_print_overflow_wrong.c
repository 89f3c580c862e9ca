// expect: false(valid-deref) line 7
// hard-for: dpr
#include <wchar.h>
int __VERIFIER_nondet_int(void);
int main(void) {
  wchar_t out[8];
  swprintf(out, 12, L"%d", __VERIFIER_nondet_int());
  return 0;
}
