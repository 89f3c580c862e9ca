// expect: false(unreach-call) line 7
// property: unreach-call
extern void reach_error(void);
int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n > 100) reach_error();
  return 0;
}
