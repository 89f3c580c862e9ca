#include <stdio.h>
#include <stdlib.h>
static void fill(int **rows, int n) {
  for (int i = 0; i < n; i++) {
    rows[i] = malloc((size_t)(i + 1) * sizeof(int));
    rows[i][0] = rows[i][i] = 1;
    for (int j = 1; j < i; j++) rows[i][j] = rows[i - 1][j - 1] + rows[i - 1][j];
  }
}
int main(void) {
  int **rows = malloc(10 * sizeof *rows);
  fill(rows, 10);
  for (int i = 0; i < 10; i++) {
    for (int *p = rows[i]; p <= rows[i] + i; p++) printf("%d ", *p);
    printf("\n");
    free(rows[i]);
  }
  free(rows);
  int a[5] = {1, 2, 3, 4, 5}, *p = a + 4, (*whole)[5] = &a;
  printf("%td %d %d %zu\n", p - a, p[-2], (*whole)[1], sizeof *whole);
  char *bytes = (char *)&a[1];
  printf("%d\n", *(int *)(bytes + sizeof(int)));
  return 0;
}
