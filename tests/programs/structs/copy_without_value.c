// expect: false(unreach-call) line 20
// property: unreach-call
// hard-for: dpr test
// A member without a value is copied without one: it and its copy get their values when they are read, each its own.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

struct S {
  int x, y;
  int z[20];
};

int main(void) {
  struct S a, b;
  a.y = __VERIFIER_nondet_int();
  struct S *p = a.y > 5 ? &a : &b;
  p->y = 3;
  b = a;
  if (a.x - b.x == 123456)
    reach_error();
  return 0;
}
