// expect: true
// proved-by: dash
// property: unreach-call
// A struct is copied through a pointer from outside that lies at the end of a page of the memory of no object: the run is cut
// there, and what is said of it names no object.
void reach_error(void);
void *__VERIFIER_nondet_pointer(void);
struct block { char bytes[36]; };
int state;
int main(void) {
  struct block *p = __VERIFIER_nondet_pointer();
  struct block copy;
  if ((unsigned long)p != 0x5c000ffa) return 0;
  if (p->bytes[0] == 5) state = 1;
  copy = *p;
  if (copy.bytes[7] == 6 && state == 2) reach_error();
  return 0;
}
