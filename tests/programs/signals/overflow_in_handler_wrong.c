// expect: false(no-overflow) line 6
// property: no-overflow
// options: --signals 1
#include <limits.h>
#include <signal.h>
static int next(int n) { return n + 1; }
static volatile int last = INT_MAX;
static void handler(int number) { last = next(last) + number; }
int main(void) {
  signal(SIGINT, handler);
  last = last - 1;
  last = last + 1;
  return 0;
}
