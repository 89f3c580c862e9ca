// expect: true
#include <assert.h>
#include <unistd.h>
int main(void) {
  int count = getgroups(0, 0);
  assert(count >= 0 && count <= 65536);
  assert(getgroups(0, 0) == count);
  return 0;
}
