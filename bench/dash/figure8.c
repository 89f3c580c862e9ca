// Figure 8 of Proofs from Tests: two calls of a procedure; what the second returns depends on the first.
// -DBROKEN: the procedure adds two to one of its arguments.
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_error(void);

static unsigned inc(unsigned y) {
  unsigned r;
  r = y + 1;
#ifdef BROKEN
  if (y == 4711) r = y + 2;
#endif
  return r;
}

static void top(unsigned x) {
  unsigned a, b;
  a = inc(x);
  b = inc(a);
  if (b != x + 2) __VERIFIER_error();
}

int main(void) {
  top(__VERIFIER_nondet_uint());
  return 0;
}
