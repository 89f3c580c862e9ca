// expect: false(no-bad-shift) line 5
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
  return __builtin_clz(x >> 1) > 40;
}
