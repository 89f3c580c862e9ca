// options: --signals 1
// expect: true
// proved-by: auto
#include <assert.h>
#include <setjmp.h>
#include <signal.h>
static sigjmp_buf buffer;
static volatile int step;
static void handler(int number) {
  (void)number;
  siglongjmp(buffer, 1);
}
static void work(void) {
  step = 1;
  step = 2;
}
int main(void) {
  if (sigsetjmp(buffer, 1) == 0) {
    signal(SIGINT, handler);
    work();
    assert(step == 2);
  } else {
    assert(step >= 0 && step <= 2);
  }
  return 0;
}
