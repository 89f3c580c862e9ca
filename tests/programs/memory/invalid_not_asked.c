// A run with undefined behaviour that was not asked about is no reason for true: it is not followed.
// expect: unknown
// property: unreach-call
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  int *p = 0;
  if (x == 0) *p = 1;
  if (x * 2 == 3) reach_error();
  return 0;
}
