// expect: true
// proved-by: auto
#include <assert.h>
#include <setjmp.h>
#include <signal.h>
static sigjmp_buf buffer;
static void handler(int number) { siglongjmp(buffer, number); }
int main(void) {
  signal(SIGFPE, handler);
  int r = sigsetjmp(buffer, 1);
  if (r == 0) raise(SIGFPE);
  assert(r == SIGFPE);
  return 0;
}
