// expect: false(unreach-call) line 6
// hard-for: explicit dpr
int main(void) {
  int b;
  klee_make_symbolic(&b, sizeof b, "b");
  klee_assert(b != 123456);
  return 0;
}
