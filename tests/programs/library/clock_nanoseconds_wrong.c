// expect: false(unreach-call)
#include <assert.h>
#include <time.h>
int main(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  assert(now.tv_nsec % 1000 == 0);
  return 0;
}
