// expect: false(unreach-call)
// hard-for: auto test explicit dpr guided merge shape dash
// property: unreach-call
// A pointer written as one member of a union and read as another.
void reach_error(void);
int __VERIFIER_nondet_int(void);
void *__VERIFIER_nondet_pointer(void);
int x;
union { int *to; void *any; long bits; } box;
int main(void) {
  int n = __VERIFIER_nondet_int();
  box.to = &x;
  *(int *)box.any = n;
  if (x == 7) reach_error();
  return 0;
}
