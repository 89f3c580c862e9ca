// expect: true
// proved-by: auto explicit
#include <assert.h>
#include <stdlib.h>

static int step;

static void never(void) { assert(0); }
static void second(void) { assert(step == 1); }
static void first(void) { step++; }

int main(void) {
  atexit(never);
  at_quick_exit(second);
  at_quick_exit(first);
  quick_exit(3);
}
