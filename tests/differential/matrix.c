#include <stdio.h>
#define N 6
int main(void) {
  double a[N][N], b[N][N], c[N][N];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) a[i][j] = i + j * 0.5, b[i][j] = i * j - 3;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      c[i][j] = 0;
      for (int k = 0; k < N; k++) c[i][j] += a[i][k] * b[k][j];
    }
  for (int i = 0; i < N; i++, printf("\n"))
    for (int j = 0; j < N; j++) printf("%8.2f", c[i][j]);
  return 0;
}
