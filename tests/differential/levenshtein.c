#include <stdio.h>
#include <string.h>
static int min(int a, int b) { return a < b ? a : b; }
static int distance(const char *a, const char *b) {
  int row[32];
  int n = (int)strlen(b);
  for (int j = 0; j <= n; j++) row[j] = j;
  for (int i = 1; a[i - 1]; i++) {
    int diagonal = row[0];
    row[0] = i;
    for (int j = 1; j <= n; j++) {
      int old = row[j];
      row[j] = min(min(row[j], row[j - 1]) + 1, diagonal + (a[i - 1] != b[j - 1]));
      diagonal = old;
    }
  }
  return row[n];
}
int main(void) {
  printf("%d %d %d %d\n", distance("kitten", "sitting"), distance("", "abc"), distance("flaw", "lawn"), distance("same", "same"));
  return 0;
}
