// expect: false(unreach-call)
// hard-for: dpr
void __VERIFIER_assume(int c) {
  if (!c)for (;;);
}
extern void reach_error(void);
int main() {
  int x = __VERIFIER_nondet_int();
  __VERIFIER_assume(x == 3);
  if (x == 3) reach_error();
  return 0;
}
