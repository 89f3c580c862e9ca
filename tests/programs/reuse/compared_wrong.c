// expect: false(unreach-call) line 33
// property: unreach-call
// Comparing a pointer with an old one tells not whether something happened in between.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int* item;
static int version;

static void* replace(void* arg) {
  pthread_mutex_lock(&m);
  free(item);
  item = malloc(sizeof *item);
  version = 1;
  pthread_mutex_unlock(&m);
  return arg;
}

int main(void) {
  pthread_t t;
  item = malloc(sizeof *item);
  pthread_create(&t, 0, replace, 0);
  pthread_mutex_lock(&m);
  int* old = item;
  int then = version;
  pthread_mutex_unlock(&m);
  pthread_mutex_lock(&m);
  if (item == old)
    assert(version == then);
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}
