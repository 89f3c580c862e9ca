// expect: false(unreach-call) line 17
// property: unreach-call
// They may overlap.
extern int nondet(void);
extern void __VERIFIER_error(void);
struct __attribute__((packed)) word {
  int value;
};
static char buffer[16];
int main(void) {
  unsigned i = nondet(), j = nondet();
  if (i > 6 || j > 6) return 0;
  struct word *p = (struct word *)(buffer + 2 * i), *q = (struct word *)(buffer + 2 * j);
  p->value = 0x11111111;
  q->value = 0x22222222;
  if (i != j && p->value != 0x11111111)
    __VERIFIER_error();
  return 0;
}
