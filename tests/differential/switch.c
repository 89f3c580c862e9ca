#include <stdio.h>
static const char *name(int n) {
  switch (n) {
    case -5 ... -1: return "negative";
    case 0: return "zero";
    case 1: case 2: case 3: return "small";
    case 1000: return "thousand";
    default: return n > 1000 ? "huge" : "other";
  }
}
int main(void) {
  int values[] = {-6, -5, -1, 0, 1, 3, 4, 999, 1000, 1001};
  for (int i = 0; i < 10; i++) puts(name(values[i]));
  int total = 0;
  for (int i = 0; i < 10; i++) {
    switch (i % 4) {
      case 0: total += 1;
      case 1: total += 10; break;
      case 2: continue;
      default: total += 100;
    }
    total *= 2;
  }
  printf("%d\n", total);
  return 0;
}
