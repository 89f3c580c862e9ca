#include <stdio.h>
#include <string.h>
int main(void) {
  char composite[200];
  int count = 0;
  memset(composite, 0, sizeof composite);
  for (int i = 2; i < 200; i++) {
    if (composite[i]) continue;
    printf("%d%c", i, ++count % 10 ? ' ' : '\n');
    for (int j = i * i; j < 200; j += i) composite[j] = 1;
  }
  printf("\n%d primes\n", count);
  return count;
}
