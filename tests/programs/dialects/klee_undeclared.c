// expect: true
// time: 3
int main(void) {
  int a = klee_range(-5, 6, "a"), b;
  klee_make_symbolic(&b, sizeof b, "b");
  klee_assume(b > 0 & b < 100);
  klee_open_merge();
  klee_close_merge();
  assert(a + b < 200);
  return 0;
}
