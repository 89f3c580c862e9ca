// expect: false(unreach-call)
// hard-for: auto test explicit dpr guided merge shape dash
// property: unreach-call
// The same by a range.
void reach_error(void);
int __VERIFIER_nondet_int(void);
void *__VERIFIER_nondet_pointer(void);
void __VERIFIER_assume(int);
int a[4];
struct box { int *to; } ;
int main(void) {
  struct box box;
  __VERIFIER_assume(box.to >= a && box.to < a + 4);
  __VERIFIER_assume(((unsigned long)box.to & 3) == 0);
  *box.to = __VERIFIER_nondet_int();
  if (a[2] == 7) reach_error();
  return 0;
}
