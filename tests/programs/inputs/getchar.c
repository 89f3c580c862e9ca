// expect: false(valid-deref) line 7
#include <stdio.h>
int main(void) {
  int counts[128] = {0};
  int c = getchar();
  if (c == EOF) return 0;
  counts[c]++;
  return 0;
}
