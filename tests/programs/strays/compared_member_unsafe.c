// expect: false(unreach-call)
// hard-for: auto test explicit dpr guided merge shape dash
// property: unreach-call
// The same of a member that is never set.
void reach_error(void);
int __VERIFIER_nondet_int(void);
void *__VERIFIER_nondet_pointer(void);
void __VERIFIER_assume(int);
int x, y;
struct box { int *to, *other; };
int main(void) {
  struct box box;
  box.other = &y;
  __VERIFIER_assume(box.to == &x);
  *box.to = __VERIFIER_nondet_int();
  if (x == 7) reach_error();
  return 0;
}
