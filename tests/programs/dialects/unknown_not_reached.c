// expect: true
int main(void) {
  int x = 0;
  if (x == 1) __CPROVER_surprise(&x);
  assert(x == 0);
  return 0;
}
