// expect: false(unreach-call)
// hard-for: auto test explicit dpr guided merge shape dash
// property: unreach-call
// A pointer that was read from memory may be one that was written there.
void reach_error(void);
int __VERIFIER_nondet_int(void);
void *__VERIFIER_nondet_pointer(void);
int x;
struct box { int *to; int other; } box;
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n == 7) box.to = &x;
  if (!box.to) return 0;
  *box.to = n;
  if (x == 7) reach_error();
  return 0;
}
