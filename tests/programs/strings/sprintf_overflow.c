// expect: false(valid-deref) line 6
#include <stdio.h>
int __VERIFIER_nondet_int(void);
int main(void) {
  char text[8];
  sprintf(text, "%d", __VERIFIER_nondet_int());
  return text[0];
}
