// expect: true
// proved-by: auto explicit
#include <assert.h>
#include <stdlib.h>

static int step;

static void last(void) { assert(step++ == 3); }
static void added(void) { assert(step++ == 2); }
static void second(void) {
  assert(step++ == 1);
  atexit(added);  // runs before those registered earlier
  exit(1);        // goes on with the handlers that are left
}
static void first(void) { assert(step++ == 0); }

int main(void) {
  atexit(last);
  atexit(second);
  atexit(first);
  return 0;
}
