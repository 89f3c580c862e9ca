#include <stdio.h>
int main(void) {
  static unsigned digits[200];
  int length = 1;
  digits[0] = 1;
  for (unsigned n = 2; n <= 60; n++) {
    unsigned carry = 0;
    for (int i = 0; i < length; i++) {
      unsigned v = digits[i] * n + carry;
      digits[i] = v % 10;
      carry = v / 10;
    }
    while (carry) digits[length++] = carry % 10, carry /= 10;
  }
  for (int i = length; i-- > 0;) printf("%u", digits[i]);
  printf("\n%d digits\n", length);
  return length;
}
