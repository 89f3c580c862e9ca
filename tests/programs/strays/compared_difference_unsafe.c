// expect: false(unreach-call)
// hard-for: auto test explicit dpr guided merge shape dash
// property: unreach-call
// The same by a difference that is kept.
void reach_error(void);
int __VERIFIER_nondet_int(void);
void *__VERIFIER_nondet_pointer(void);
void __VERIFIER_assume(int);
int x;
struct box { char *to; long distance; };
int main(void) {
  struct box box;
  long distance = box.to - (char *)&x;
  box.distance = distance;
  if (box.distance != 0) return 0;
  *(int *)box.to = __VERIFIER_nondet_int();
  if (x == 7) reach_error();
  return 0;
}
