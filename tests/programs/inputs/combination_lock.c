// expect: false(unreach-call) line 12
// hard-for: test
// Three digits in the right order open it.
void reach_error(void) {}
unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  int state = 0;
  for (int i = 0; i < 3; i++) {
    unsigned char digit = __VERIFIER_nondet_uchar();
    if (digit == 73 + 31 * i) state++;
  }
  if (state == 3) reach_error();
  return 0;
}
