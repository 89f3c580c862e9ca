// expect: true
// proved-by: explicit guided
// time: 5
// property: no-data-race
#include <pthread.h>
static pthread_t t;
static int same;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *run(void *p) {
  pthread_mutex_lock(&m);
  same = pthread_equal(t, pthread_self());
  pthread_mutex_unlock(&m);
  return p;
}
int main(void) {
  pthread_mutex_lock(&m);
  pthread_create(&t, 0, run, 0);
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return same;
}
