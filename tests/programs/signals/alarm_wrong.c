// expect: false(unreach-call) line 12
#include <assert.h>
#include <signal.h>
#include <unistd.h>
static volatile sig_atomic_t rung;
static int shared;
static void handler(int number) { rung = number; shared = 7; }
int main(void) {
  signal(SIGALRM, handler);
  alarm(1);
  shared = 3;
  assert(shared == 3);
  return 0;
}
