// expect: true
#include <assert.h>
static int ackermann(int m, int n) {
  if (m == 0) return n + 1;
  if (n == 0) return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}
int main(void) {
  assert(ackermann(2, 3) == 9 && ackermann(1, 5) == 7);
  return 0;
}
