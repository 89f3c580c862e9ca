// expect: false(unreach-call)
// hard-for: auto test explicit dpr guided merge shape dash
// property: unreach-call
// What is stored through a pointer from outside comes back through another one.
void reach_error(void);
int __VERIFIER_nondet_int(void);
void *__VERIFIER_nondet_pointer(void);
int x;
struct box { int *to; };
int main(void) {
  struct box *a = __VERIFIER_nondet_pointer(), *b = __VERIFIER_nondet_pointer();
  a->to = &x;
  int *to = b->to;
  *to = 7;
  if (x == 7) reach_error();
  return 0;
}
