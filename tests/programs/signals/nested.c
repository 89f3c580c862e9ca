// expect: true
// proved-by: auto
// A signal that a handler raises waits until the handler returns, if it is the handler's own or in its mask.
#include <assert.h>
#include <signal.h>
#include <string.h>
static int order[8], count;
static void first(int number) {
  order[count++] = 1;
  if (count == 1) {
    raise(number);
    raise(SIGUSR2);
    raise(SIGTERM);
  }
  order[count++] = 2;
}
static void second(int number) {
  (void)number;
  order[count++] = 3;
}
static void third(int number) {
  (void)number;
  order[count++] = 4;
}
int main(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = first;
  sigemptyset(&action.sa_mask);
  sigaddset(&action.sa_mask, SIGUSR2);
  sigaction(SIGUSR1, &action, 0);
  signal(SIGUSR2, second);
  signal(SIGTERM, third);
  raise(SIGUSR1);
  assert(count == 6);
  assert(order[0] == 1 && order[1] == 4 && order[2] == 2);
  struct sigaction now;
  sigaction(SIGUSR1, 0, &now);
  assert(now.sa_handler == first && sigismember(&now.sa_mask, SIGUSR2));
  return 0;
}
