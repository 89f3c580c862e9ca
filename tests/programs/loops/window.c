// expect: true
// property: unreach-call
// proved-by: dash
// time: 120
// A window of bytes moves through a buffer: its parts add up to no more than the buffer.
extern int nondet(void);
extern void __VERIFIER_error(void);
int main(void) {
  int size = nondet(), used = 0, packet = nondet();
  if (size < 8 || size > 65536 || packet < 1 || packet > size / 4) return 0;
  while (used + packet <= size) {
    if (nondet()) break;
    used += packet;
    if (used > size || used < 1) __VERIFIER_error();
  }
  if (used < 0 || used > size) __VERIFIER_error();
  return 0;
}
