// expect: true
// property: unreach-call
// Words at even places of one buffer are the same, apart, or overlap by half: then the second one changes half of the first.
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
  int v = p->value;
  if (i == j && v != 0x22222222) __VERIFIER_error();
  if (i + 1 == j && v != 0x22221111) __VERIFIER_error();
  if (i == j + 1 && v != 0x11112222) __VERIFIER_error();
  if ((i > j + 1 || j > i + 1) && v != 0x11111111) __VERIFIER_error();
  return 0;
}
