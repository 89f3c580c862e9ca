// expect: false(unreach-call) line 15
// The famous trick destroys its value when both pointers are equal.
#include <assert.h>
int __VERIFIER_nondet_int(void);
static void xor_swap(int *a, int *b) {
  *a ^= *b;
  *b ^= *a;
  *a ^= *b;
}
int main(void) {
  int values[2] = {5, 7};
  int i = __VERIFIER_nondet_int() & 1, j = __VERIFIER_nondet_int() & 1;
  int before = values[i];
  xor_swap(&values[i], &values[j]);
  assert(values[j] == before);
  return 0;
}
