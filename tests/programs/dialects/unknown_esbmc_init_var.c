// expect: unknown
int main(void) {
  int x = 0;
  __ESBMC_init_var(&x);
  assert(x == 0);
  return 0;
}
