// The timer may run out before pause: then the program waits without an end.
// expect: true
// proved-by: auto
#include <assert.h>
#include <signal.h>
#include <unistd.h>
static volatile sig_atomic_t rung;
static void handler(int number) {
  (void)number;
  rung++;
}
int main(void) {
  signal(SIGALRM, handler);
  alarm(1);
  while (!rung) pause();
  assert(rung == 1);
  return 0;
}
