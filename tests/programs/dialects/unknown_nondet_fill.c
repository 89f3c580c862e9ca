// expect: unknown
int main(void) {
  int x = 0;
  nondet_fill(&x);
  assert(x == 0);
  return 0;
}
