// expect: true
// An empty assembly statement with a memory clobber orders accesses and does nothing.
#include <assert.h>
int x;
int main(void) {
  x = 1;
  __asm__ volatile("" ::: "memory");
  assert(x == 1);
  return 0;
}
