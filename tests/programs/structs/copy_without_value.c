// expect: true
// property: unreach-call
// proved-by: auto guided
// A member without a value is copied: the copy has the same value, whatever that is, wherever the copy came from.
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
