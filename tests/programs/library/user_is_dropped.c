// expect: true
#include <assert.h>
#include <unistd.h>
int main(void) {
  if (setgid(100) != 0 || setuid(100) != 0) return 1;
  assert(geteuid() == 100 && getegid() == 100);
  assert(getpid() > 0 && getpid() == getpid());
  return 0;
}
