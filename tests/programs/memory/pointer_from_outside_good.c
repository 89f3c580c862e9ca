// A pointer that comes from outside lies in some object, if that is not asked about. Runs where it does not are cut, and
// the search goes on with others.
// expect: true
// property: unreach-call
extern void *__VERIFIER_nondet_pointer(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int table[16];
int main(void) {
  int *where = __VERIFIER_nondet_pointer();
  int x = __VERIFIER_nondet_int();
  int state = 0;
  table[3] = 3;
  *where = 1;
  if (x == 4711) state = 1;
  *where = 2;
  if (state == 1 && x < 4000)
    reach_error();
  return 0;
}
