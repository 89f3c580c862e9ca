// expect: false(unreach-call)
// hard-for: auto test explicit dpr guided merge shape dash
// property: unreach-call
// An index that was read from memory makes no pointer of it.
void reach_error(void);
int __VERIFIER_nondet_int(void);
void *__VERIFIER_nondet_pointer(void);
int a[4];
struct box { int index; } box;
static void set(int *p) { p[box.index] = 7; }
int main(void) {
  box.index = __VERIFIER_nondet_int();
  if (box.index < 0 || box.index > 3) return 0;
  set(a);
  if (a[2] == 7) reach_error();
  return 0;
}
