// expect: false(unreach-call)
// hard-for: auto test explicit dpr guided merge shape dash
// property: unreach-call
// A member that is never set, assumed to be a pointer that lies elsewhere in memory.
void reach_error(void);
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
int x;
struct box { int *to; };
static void set(struct box *a, struct box *b) {
  __VERIFIER_assume(a->to == b->to);
  *b->to = __VERIFIER_nondet_int();
}
int main(void) {
  struct box a, b;
  a.to = &x;
  set(&a, &b);
  if (x == 7) reach_error();
  return 0;
}
