// expect: false(unreach-call)
// hard-for: auto test explicit dpr guided merge shape dash
// property: unreach-call
// A pointer from outside or one of the program.
void reach_error(void);
int __VERIFIER_nondet_int(void);
void *__VERIFIER_nondet_pointer(void);
int x;
int *to;
int main(void) {
  int n = __VERIFIER_nondet_int();
  to = n > 5 ? &x : (int *)__VERIFIER_nondet_pointer();
  *to = n;
  if (x == 7) reach_error();
  return 0;
}
