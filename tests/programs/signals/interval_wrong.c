// A timer that repeats interrupts more than once.
// expect: false(unreach-call) line 14
// hard-for: explicit dpr
#include <assert.h>
#include <signal.h>
#include <sys/time.h>
static volatile sig_atomic_t ticks;
static void handler(int number) { ticks += number == SIGVTALRM; }
int main(void) {
  struct itimerval timer = {{0, 1000}, {0, 1000}};
  signal(SIGVTALRM, handler);
  if (setitimer(ITIMER_VIRTUAL, &timer, 0) != 0) return 1;
  int first = ticks;
  assert(ticks < first + 2);
  return 0;
}
