// expect: false(unreach-call) line 8
// hard-for: test explicit dpr guided merge dash
int a[4];
int nondet_int(void);
int main(void) {
  int x = nondet_int();
  if (x >= 0 && x < 4) a[x] = 1;
  __CPROVER_assert(__CPROVER_forall { int i; (i >= 0 && i < 4) ==> a[i] == 0 }, "all zero");
  return 0;
}
