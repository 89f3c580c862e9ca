// expect: true
// property: unreach-call
// Every second round counts: twice the count is the counter, or one more.
extern int nondet(void);
extern void __VERIFIER_error(void);
extern void __VERIFIER_assume(int);
int main(void) {
  int limit = nondet(), even = 0, i;
  __VERIFIER_assume(limit <= 10000);
  for (i = 0; i < 2 * limit; i++)
    if (i % 2 == 0) even++;
  if (limit >= 0 && even != limit) __VERIFIER_error();
  return 0;
}
