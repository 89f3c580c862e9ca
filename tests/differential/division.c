#include <stdio.h>
int main(void) {
  int values[] = {-100, -7, -1, 1, 7, 100, 2147483647};
  for (int i = 0; i < 7; i++)
    for (int j = 0; j < 7; j++) printf("%d %d | ", values[i] / values[j], values[i] % values[j]);
  printf("\n%u %u %lld %llu\n", 4000000000u / 7, 4000000000u % 7, -5000000000ll / 3, 18446744073709551615ull % 1000);
  return 0;
}
