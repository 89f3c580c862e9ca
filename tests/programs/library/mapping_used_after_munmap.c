// expect: false(valid-deref) line 8
// property: valid-deref
#include <sys/mman.h>
int main(void) {
  int *p = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED) return 1;
  munmap(p, 4096);
  return p[0];
}
