// expect: false(no-overflow) line 4
// property: no-overflow
int main(void) {
  static int zero = 65536 * 65536;
  return zero;
}
