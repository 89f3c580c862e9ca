// expect: false(unreach-call)
// hard-for: auto test explicit dpr guided merge shape dash
// property: unreach-call
// A pointer from outside that is assumed to be one of the program.
void reach_error(void);
int __VERIFIER_nondet_int(void);
void *__VERIFIER_nondet_pointer(void);
void __VERIFIER_assume(int);
int x;
int main(void) {
  int *p = __VERIFIER_nondet_pointer();
  __VERIFIER_assume(p == &x);
  *p = __VERIFIER_nondet_int();
  if (x == 7) reach_error();
  return 0;
}
