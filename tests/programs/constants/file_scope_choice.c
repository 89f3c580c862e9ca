// expect: true
// property: no-overflow,no-bad-shift,no-div-by-zero
#include <limits.h>
int wide = sizeof(int) > 8 ? 1 << 40 : 2;
int low = INT_MIN, high = 0x7fffffff, both = INT_MIN + INT_MAX, minus = -1;
unsigned wraps = 0u - 1;
int main(void) {
  int table[] = {1 << 4, 1 ? 2 : 1 << 50, (char)200};
  return wide + table[0] + (int)wraps;
}
