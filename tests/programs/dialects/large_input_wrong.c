// expect: false(unreach-call) line 5
// hard-for: explicit dpr
int main(void) {
  unsigned long long n = nondet_ulonglong();
  assert(n < 1ull << 40);
  return 0;
}
