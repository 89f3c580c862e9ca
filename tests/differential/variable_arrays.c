#include <stdio.h>
static int trace(int n, int m[n][n]) {
  int t = 0;
  for (int i = 0; i < n; i++) t += m[i][i];
  return t;
}
int main(void) {
  for (int n = 1; n < 6; n++) {
    int m[n][n];
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) m[i][j] = i * n + j;
    printf("%d %zu\n", trace(n, m), sizeof m);
  }
  return 0;
}
