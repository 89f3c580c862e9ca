// expect: true
// proved-by: auto explicit
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int destroyed;

static void handler(void) { assert(destroyed); }
static void destructor(void* value) { *(int*)value = 1; }

// The data of the last thread is destroyed before the handlers run.
int main(void) {
  pthread_key_t key;
  pthread_key_create(&key, destructor);
  pthread_setspecific(key, &destroyed);
  atexit(handler);
  pthread_exit(0);
}
