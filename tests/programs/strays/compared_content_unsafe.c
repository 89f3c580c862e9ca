// expect: false(unreach-call)
// hard-for: auto test explicit dpr guided merge shape dash
// property: unreach-call
// A pointer that is read through one that is assumed to be of the program.
void reach_error(void);
int __VERIFIER_nondet_int(void);
void *__VERIFIER_nondet_pointer(void);
void __VERIFIER_assume(int);
int y;
int *x = &y;
int main(void) {
  int **p = __VERIFIER_nondet_pointer();
  __VERIFIER_assume(p == &x);
  int *q = *p;
  *q = __VERIFIER_nondet_int();
  if (y == 7) reach_error();
  return 0;
}
