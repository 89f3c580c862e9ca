// expect: true
// options: --data-model LP64
// property: no-overflow
int main(void) {
  long n = 2147483647;
  n = n + 1;
  return n < 0;
}
