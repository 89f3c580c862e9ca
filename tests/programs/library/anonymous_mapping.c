// expect: true
// time: 3
// property: valid-deref,unreach-call,valid-free
#include <assert.h>
#include <sys/mman.h>
int main(void) {
  int *p = mmap(0, 100, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED) return 1;
  assert(p[1023] == 0);
  p[3] = 5;
  assert(p[3] == 5);
  return munmap(p, 100);
}
