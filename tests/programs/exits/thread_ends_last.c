// expect: false(unreach-call) line 6
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void handler(void) { assert(0); }

static void* work(void* unused) { return unused; }

int main(void) {
  atexit(handler);
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  pthread_detach(t);
  pthread_exit(0);
}
