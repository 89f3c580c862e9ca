// expect: false(unreach-call) line 11
#include <assert.h>
#include <signal.h>
#include <unistd.h>
static volatile sig_atomic_t last;
static void handler(int number) { last = number; }
int main(void) {
  signal(SIGUSR1, handler);
  signal(SIGUSR2, handler);
  pause();
  assert(last == SIGUSR1);
  return 0;
}
