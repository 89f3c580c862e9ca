// expect: unknown
int main(void) {
  int x = 0;
  __VERIFIER_surprise(3);
  assert(x == 0);
  return 0;
}
