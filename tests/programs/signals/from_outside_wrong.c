// options: --signals 1
// expect: false(unreach-call) line 8
#include <assert.h>
#include <signal.h>
static int begun, done;
static void handler(int number) {
  (void)number;
  assert(begun == done);
}
int main(void) {
  signal(SIGINT, handler);
  begun++;
  done++;
  return 0;
}
