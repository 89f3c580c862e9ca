// expect: false(valid-deref) line 7
// hard-for: explicit dpr
#include <stdio.h>
int __VERIFIER_nondet_int(void);
int main(void) {
  char text[8];
  sprintf(text, "%d", __VERIFIER_nondet_int());
  return text[0];
}
