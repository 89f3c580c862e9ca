// expect: false(unreach-call)
// hard-for: auto test explicit dpr guided merge shape dash
// property: unreach-call
// The same by two members that are never set, of objects that hold other pointers.
void reach_error(void);
int __VERIFIER_nondet_int(void);
void *__VERIFIER_nondet_pointer(void);
int x, y;
struct box { int *to; struct box *next; };
int main(void) {
  struct box a, b;
  a.to = b.to = &y;
  a.next->to = &x;
  int *to = b.next->to;
  *to = 7;
  if (x == 7) reach_error();
  return 0;
}
