// expect: false(unreach-call) line 21
// The flag is raised before the value is there.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int ready;
static int value;
static int get(void) {
  if (!ready) {
    pthread_mutex_lock(&mutex);
    if (!ready) {
      ready = 1;
      value = 7;
    }
    pthread_mutex_unlock(&mutex);
  }
  return value;
}
static void *run(void *argument) {
  assert(get() == 7);
  return argument;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  run(0);
  pthread_join(t, 0);
  return 0;
}
