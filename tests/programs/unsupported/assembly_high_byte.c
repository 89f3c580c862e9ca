// expect: unknown
// The high byte of a register.
int main(void) {
  int x = 258, y = 0;
  __asm__("movb %h1, %b0" : "+q"(y) : "Q"(x));
  return y;
}
