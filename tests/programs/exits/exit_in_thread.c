// expect: false(unreach-call) line 8
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int ended;

static void handler(void) { assert(ended == 2); }

static void* work(void* unused) {
  __atomic_fetch_add(&ended, 1, __ATOMIC_SEQ_CST);
  if (unused) exit(0);
  return unused;
}

int main(void) {
  atexit(handler);
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, &b);
  pthread_exit(0);
}
