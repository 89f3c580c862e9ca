// expect: true
// Every way out of the block, and the pointer is set anew behind each.
extern _Bool __VERIFIER_nondet_bool(void);
int main(void) {
  int outer = 7, rounds = 0;
  int *p = &outer;
  while (rounds++ < 3) {
    int x[2] = {rounds, rounds + 1};
    p = x;
    if (p[1] != rounds + 1) return 1 / (rounds - rounds);
    if (__VERIFIER_nondet_bool()) {
      p = &outer;
      break;
    }
    if (__VERIFIER_nondet_bool()) {
      p = &outer;
      continue;
    }
    if (__VERIFIER_nondet_bool()) goto out;
    p = &outer;
  }
  return *p - 7;
out:
  p = &outer;
  return *p;
}
