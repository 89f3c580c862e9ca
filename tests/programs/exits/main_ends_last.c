// expect: false(unreach-call) line 6
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void handler(void) { assert(0); }

int main(void) {
  atexit(handler);
  pthread_exit(0);
}
