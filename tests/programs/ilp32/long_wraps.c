// expect: false(no-overflow) line 6
// options: --data-model ILP32
// property: no-overflow
int main(void) {
  long n = 2147483647;
  n = n + 1;
  return n < 0;
}
