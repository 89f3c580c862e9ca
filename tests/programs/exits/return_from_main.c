// expect: true
// proved-by: explicit
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int handled;

static void handler(void) {
  assert(!handled);
  handled = 1;
}

static void* wait_for_ever(void* unused) {
  for (;;)
    if (__atomic_load_n(&handled, __ATOMIC_SEQ_CST) > 1) return unused;
}

// The handlers run once, beside threads that still run.
int main(void) {
  atexit(handler);
  pthread_t t;
  pthread_create(&t, 0, wait_for_ever, 0);
  return 0;
}
