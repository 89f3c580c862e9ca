// expect: true
#include <assert.h>
unsigned __VERIFIER_nondet_uint(void);
static int sum(int n, int m, int a[n][m]) {
  int s = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) s += a[i][j];
  return s;
}
int main(void) {
  int n = (int)(__VERIFIER_nondet_uint() % 4) + 1;
  int a[n][n + 1];
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= n; j++) a[i][j] = 1;
  assert(sum(n, n + 1, a) == n * (n + 1));
  assert(sizeof a == n * (n + 1) * sizeof(int));
  return 0;
}
