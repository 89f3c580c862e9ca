// expect: true
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
int main(void) {
  void *p;
  assert(posix_memalign(&p, 16, 40) == 0 && (uintptr_t)p % 16 == 0);
  free(p);
  p = aligned_alloc(8, 64);
  assert((uintptr_t)p % 8 == 0);
  free(p);
  return 0;
}
