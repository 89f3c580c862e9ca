// expect: false(unreach-call) line 11
#include <assert.h>
#include <signal.h>
#include <unistd.h>
static volatile sig_atomic_t rung;
static void handler(int number) { rung += number == SIGALRM; }
int main(void) {
  signal(SIGALRM, handler);
  alarm(1);
  pause();
  assert(rung == 0);
  return 0;
}
