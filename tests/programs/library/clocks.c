// expect: true
#include <assert.h>
#include <errno.h>
#include <time.h>
int main(void) {
  struct timespec one, two, wrong = {0, 1000000000};
  clock_gettime(CLOCK_REALTIME, &one);
  clock_gettime(CLOCK_REALTIME, &two);
  assert(one.tv_sec >= 0 && one.tv_nsec >= 0 && one.tv_nsec < 1000000000);
  assert(two.tv_sec > one.tv_sec || (two.tv_sec == one.tv_sec && two.tv_nsec >= one.tv_nsec));
  assert(clock_gettime((clockid_t)77, &one) == -1 && errno == EINVAL);
  errno = 0;
  assert(nanosleep(&wrong, 0) == -1 && errno == EINVAL);
  return 0;
}
