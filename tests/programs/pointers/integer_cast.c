// expect: true
#include <assert.h>
#include <stdint.h>
int main(void) {
  long objects[4] = {1, 2, 3, 4};
  uintptr_t address = (uintptr_t)&objects[1];
  assert(address % _Alignof(long) == 0);
  assert(*(long *)(address + sizeof(long)) == 3);
  assert((long *)(address | 1) != &objects[1]);
  return 0;
}
