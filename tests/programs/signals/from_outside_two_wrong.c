// One signal does no harm.
// options: --signals 2
// expect: false(unreach-call) line 8
#include <assert.h>
#include <signal.h>
static volatile sig_atomic_t count;
static void handler(int number) { count += number == SIGTERM; }
static void look(void) { assert(count < 2); }
int main(void) {
  signal(SIGTERM, handler);
  look();
  return 0;
}
