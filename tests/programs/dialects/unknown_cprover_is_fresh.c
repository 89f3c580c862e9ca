// expect: unknown
int main(void) {
  int x = 0;
  __CPROVER_is_fresh(&x, 4);
  assert(x == 0);
  return 0;
}
