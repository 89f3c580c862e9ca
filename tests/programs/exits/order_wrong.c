// expect: false(unreach-call) line 7
#include <assert.h>
#include <stdlib.h>

static int step;

static void last(void) { assert(step == 0); }
static void first(void) { step++; }

int main(void) {
  atexit(last);
  atexit(first);
  return 0;
}
