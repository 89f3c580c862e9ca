// expect: false(unreach-call)
#include <assert.h>
#include <unistd.h>
int main(void) {
  assert(getpid() == getpid() && getuid() == getuid());
  assert(getuid() != 0);
  return 0;
}
