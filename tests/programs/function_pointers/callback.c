// expect: true
#include <assert.h>
#include <stdlib.h>
static int calls;
static int descending(const void *a, const void *b) {
  calls++;
  return *(const int *)b - *(const int *)a;
}
int main(void) {
  int a[] = {4, 8, 1, 9, 3, 3, 7};
  qsort(a, 7, sizeof *a, descending);
  for (int i = 0; i < 6; i++) assert(a[i] >= a[i + 1]);
  assert(calls > 0);
  int key = 8;
  int *found = bsearch(&key, a, 7, sizeof *a, descending);
  assert(found == a + 1);
  return 0;
}
