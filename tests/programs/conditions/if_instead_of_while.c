// expect: false(unreach-call) line 12
// property: unreach-call
// Two consumers wait, one item comes, both are woken: the second finds nothing.
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int items;
static void *consume(void *argument) {
  pthread_mutex_lock(&mutex);
  if (items == 0) pthread_cond_wait(&cond, &mutex);
  assert(items > 0);
  items--;
  pthread_mutex_unlock(&mutex);
  return argument;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, consume, 0);
  pthread_create(&b, 0, consume, 0);
  pthread_mutex_lock(&mutex);
  items++;
  pthread_cond_broadcast(&cond);
  pthread_mutex_unlock(&mutex);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
