// expect: true
// The callee has the address as long as the block lasts.
#include <assert.h>
int *kept;
static void keep(int *q) { kept = q; }
static int read(const int *q) { return *q + 1; }
int main(void) {
  int sum = 0;
  for (int i = 0; i < 4; i++) {
    int x = i;
    int *q = &x;
    keep(q);
    sum += read(&x) + *kept;
    kept = 0;
  }
  assert(sum == 16);
  return 0;
}
