// expect: false(unreach-call) line 17
// property: unreach-call
// hard-for: dpr test
// The value that a copied member gets is any one.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

struct S {
  int x, y;
};

int main(void) {
  struct S a, b, c;
  a.y = __VERIFIER_nondet_int();
  b = a;
  c = b;
  if (c.x == 123456) reach_error();
  return 0;
}
