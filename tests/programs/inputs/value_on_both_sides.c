// expect: true
// The same, where the memory has a value on all sides.
extern _Bool __VERIFIER_nondet_bool(void); extern void reach_error(void);
char *hidden;
int main(void) {
  char a[1]; hidden = a;
  a[0] = 1;
  _Bool c = __VERIFIER_nondet_bool();
  if (c) hidden[0] = 1;
  char y = hidden[0];
  _Bool p = __VERIFIER_nondet_bool(), q = __VERIFIER_nondet_bool();
  if (!q && p && !c && (y & 2)) reach_error();
  return 0;
}
