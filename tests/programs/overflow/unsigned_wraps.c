// expect: true
// property: no-overflow
unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned a = __VERIFIER_nondet_uint();
  unsigned char c = 255;
  c++;
  return a * a + 1u - (a << 3) > c;
}
