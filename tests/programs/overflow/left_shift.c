// expect: false(no-overflow) line 5
// property: no-overflow
int main(void) {
  int one = 1;
  return (one << 31) < 0;
}
