// expect: true
// property: unreach-call
// proved-by: dash
// The safe twin: the member has a value when it is copied.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

struct S {
  int x, y;
  int z[20];
};

int main(void) {
  struct S a, b;
  a.x = __VERIFIER_nondet_int();
  a.y = __VERIFIER_nondet_int();
  b = a;
  if (a.x - b.x == 123456)
    reach_error();
  return 0;
}
