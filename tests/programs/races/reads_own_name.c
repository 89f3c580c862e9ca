// expect: false(no-data-race)
// property: no-data-race
// pthread_create may write the name after the new thread has begun.
#include <pthread.h>
static pthread_t t;
static int same;
static void *run(void *p) {
  same = pthread_equal(t, pthread_self());
  return p;
}
int main(void) {
  pthread_create(&t, 0, run, 0);
  pthread_join(t, 0);
  return same;
}
