#include <stdio.h>
int main(void) {
  int i = 0, j;
again:
  j = 0;
inner:
  if (i * j == 12) goto found;
  if (++j < 6) goto inner;
  if (++i < 6) goto again;
  puts("none");
  return 1;
found:
  printf("%d %d\n", i, j);
  do {
    if (i == 5) break;
    i++;
  } while (1);
  for (;;) {
    if (j-- == 0) break;
    if (j % 2) continue;
    printf("%d ", j);
  }
  printf("%d\n", i);
  return 0;
}
