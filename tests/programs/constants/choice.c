// expect: false(no-overflow) line 4
// property: no-overflow
int main(void) {
  return (1 << 31) ? 2 : 3;
}
