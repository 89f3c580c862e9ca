// expect: true
#include <assert.h>
int __VERIFIER_nondet_int(void);
static int classify(int n) {
  switch (n) {
    case -1: return 1;
    case 0 ... 9: return 2;
    case 100: case 200: return 3;
    default: return 4;
  }
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  int c = classify(n);
  assert(c >= 1 && c <= 4);
  assert((c == 2) == (n >= 0 && n <= 9));
  assert(classify(200) == 3 && classify(101) == 4);
  return 0;
}
