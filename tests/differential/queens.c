#include <stdio.h>
static int solve(int n, unsigned columns, unsigned left, unsigned right) {
  unsigned all = (1u << n) - 1;
  if (columns == all) return 1;
  int count = 0;
  for (unsigned free = all & ~(columns | left | right); free;) {
    unsigned bit = free & -free;
    free ^= bit;
    count += solve(n, columns | bit, (left | bit) << 1, (right | bit) >> 1);
  }
  return count;
}
int main(void) {
  for (int n = 1; n <= 7; n++) printf("%d: %d\n", n, solve(n, 0, 0, 0));
  return 0;
}
