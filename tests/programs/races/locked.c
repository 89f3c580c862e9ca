// expect: true
// proved-by: explicit guided
// time: 5
// property: no-data-race
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int shared;
static void *run(void *argument) {
  pthread_mutex_lock(&mutex);
  shared++;
  pthread_mutex_unlock(&mutex);
  return argument;
}
int main(void) {
  pthread_t t;
  shared = 5;
  pthread_create(&t, 0, run, 0);
  pthread_mutex_lock(&mutex);
  shared++;
  pthread_mutex_unlock(&mutex);
  pthread_join(t, 0);
  return shared;
}
