// expect: false(unreach-call) line 15
#include <assert.h>
#include <threads.h>
static int n;
static int run(void *argument) {
  (void)argument;
  n++;
  return 0;
}
int main(void) {
  thrd_t a;
  thrd_create(&a, run, 0);
  n++;
  thrd_join(a, 0);
  assert(n == 2);
  return 0;
}
