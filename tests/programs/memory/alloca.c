// expect: true
#include <alloca.h>
#include <assert.h>
static int total(int n) {
  int *a = alloca(n * sizeof *a);
  for (int i = 0; i < n; i++) a[i] = i;
  int sum = 0;
  for (int i = 0; i < n; i++) sum += a[i];
  return sum;
}
int main(void) {
  assert(total(5) == 10 && total(1) == 0);
  return 0;
}
