// The same with the smallest int, which has to be written as a sum.
// property: no-overflow
// expect: false(no-overflow) line 6
int main(void) {
  int least = -2147483647 - 1;
  int quotient = least / -1;
  return quotient;
}
