// expect: true
// proved-by: auto
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <unistd.h>
static volatile sig_atomic_t rung;
static void handler(int number) {
  assert(number == SIGALRM);
  rung++;
}
int main(void) {
  signal(SIGALRM, handler);
  assert(alarm(2) == 0);
  if (rung == 0) {
    unsigned left = alarm(0);
    if (rung == 0) assert(left > 0);
  }
  assert(rung <= 1);
  int before = rung;
  assert(rung == before);
  return 0;
}
