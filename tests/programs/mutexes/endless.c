// expect: true
// The threads never end, but the states repeat.
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int inside;
static void *run(void *argument) {
  for (;;) {
    pthread_mutex_lock(&mutex);
    inside++;
    assert(inside == 1);
    inside--;
    pthread_mutex_unlock(&mutex);
  }
  return argument;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, run, 0);
  pthread_create(&b, 0, run, 0);
  pthread_join(a, 0);
  return 0;
}
