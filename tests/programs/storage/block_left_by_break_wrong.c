// expect: false(valid-deref)
extern _Bool __VERIFIER_nondet_bool(void);
int main(void) {
  int outer = 7, rounds = 0;
  int *p = &outer;
  while (rounds++ < 3) {
    int x[2] = {1, 2};
    if (__VERIFIER_nondet_bool()) continue;
    if (__VERIFIER_nondet_bool() && rounds == 2) {
      p = x;
      break;
    }
  }
  return *p;
}
