// expect: false(unreach-call) line 16
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int got[2];
static void *run(void *argument) {
  *(int *)argument = pthread_mutex_trylock(&mutex) == 0;
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, run, &got[0]);
  pthread_create(&b, 0, run, &got[1]);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(got[0]);
  return 0;
}
