// It may fail.
// expect: false(unreach-call) line 7
#include <assert.h>
#include <sys/select.h>
int main(void) {
  int r = select(0, 0, 0, 0, &(struct timeval){0, 0});
  assert(r == 0);
  return 0;
}
