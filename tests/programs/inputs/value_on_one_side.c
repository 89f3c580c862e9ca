// expect: false(unreach-call) line 15
// Memory that gets a value on one side of a branch: on the other side, reading it is an input, and later inputs have
// other numbers.
extern _Bool __VERIFIER_nondet_bool(void); extern void reach_error(void);
char *hidden;
int main(void) {
  char a[1]; hidden = a;
  _Bool c = __VERIFIER_nondet_bool();
  if (c) hidden[0] = 1;
  char y = hidden[0];
  _Bool p = __VERIFIER_nondet_bool(), q = __VERIFIER_nondet_bool();
  if (!q)
    if (p)
      if (!c)
        if (y & 2) reach_error();
  return 0;
}
