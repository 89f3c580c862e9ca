// expect: false(unreach-call) line 8
int main(void) {
  int x = 0, *p = &x, *q = 0;
  double d = 0.5, zero = -0.0;
  assert(p);
  assert(d);
  assert(!zero);
  assert(q);
  return 0;
}
