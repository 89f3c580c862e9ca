// expect: false(unreach-call) line 13
// property: unreach-call
// hard-for: dash dpr guided
// Over integers the sum never falls below the counter; on 8 bits it does.
extern unsigned char nondet_byte(void);
extern void __VERIFIER_error(void);
int main(void) {
  unsigned char n = nondet_byte(), sum = 0, i = 0;
  while (i < n) {
    i++;
    sum += 3;
  }
  if (sum < i) __VERIFIER_error();
  return 0;
}
