// expect: unknown
int main(void) {
  int x = 0;
  klee_define_fixed_object(&x, 4);
  assert(x == 0);
  return 0;
}
