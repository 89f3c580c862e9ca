// expect: false(unreach-call) line 5
#include <assert.h>
#include <stdlib.h>
static int phase;
static void first(void) { assert(phase == 0); }
static void second(void) { phase = 1; }
int main(void) {
  atexit(first);
  atexit(second);
  return 0;
}
