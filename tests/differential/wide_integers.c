#include <stdio.h>
typedef unsigned __int128 u128;
static void print(u128 n) {
  char digits[40];
  int i = 40;
  digits[--i] = 0;
  do digits[--i] = (char)('0' + (int)(n % 10));
  while (n /= 10);
  puts(digits + i);
}
int main(void) {
  u128 factorial = 1;
  for (int i = 1; i <= 34; i++) factorial *= (unsigned)i;
  print(factorial);
  print(factorial / 1000000007);
  print(factorial >> 64);
  print(~(u128)0);
  __int128 negative = -(__int128)factorial;
  printf("%d %d\n", negative < 0, (int)(negative % 1000003));
  return 0;
}
