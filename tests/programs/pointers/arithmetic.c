// expect: true
#include <assert.h>
int main(void) {
  int a[10];
  for (int i = 0; i < 10; i++) a[i] = i * i;
  int *p = a + 3, *q = &a[8];
  assert(q - p == 5 && *p == 9 && p[2] == 25 && *(q - 1) == 49);
  assert(p < q && &*p == p && a == &a[0]);
  char *bytes = (char *)p;
  assert((int *)(bytes + 2 * sizeof(int)) == p + 2);
  return 0;
}
