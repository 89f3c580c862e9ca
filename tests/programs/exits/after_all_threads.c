// expect: true
// proved-by: auto explicit
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int ended;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void handler(void) { assert(ended == 2); }

static void* work(void* unused) {
  pthread_mutex_lock(&m);
  ended++;
  pthread_mutex_unlock(&m);
  return unused;
}

// Handlers run when the last thread has ended, not before.
int main(void) {
  atexit(handler);
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_exit(0);
}
