// expect: false(unreach-call)
// hard-for: test dpr
#include <assert.h>
#include <time.h>
int main(void) {
  time_t begin = time(0);
  assert(time(0) - begin < 86400 * 365L);
  return 0;
}
