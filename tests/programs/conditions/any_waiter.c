// expect: false(unreach-call) line 37
// A signal may wake either waiter.
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int waiting, order[2], next;
static void *run(void *argument) {
  pthread_mutex_lock(&mutex);
  waiting++;
  pthread_cond_wait(&cond, &mutex);
  order[next++] = *(int *)argument;
  pthread_mutex_unlock(&mutex);
  return 0;
}
static void wake_when(int count) {
  pthread_mutex_lock(&mutex);
  while (waiting < count) {
    pthread_mutex_unlock(&mutex);
    pthread_mutex_lock(&mutex);
  }
  pthread_mutex_unlock(&mutex);
}
int main(void) {
  pthread_t a, b;
  int one = 1, two = 2;
  pthread_create(&a, 0, run, &one);
  wake_when(1);
  pthread_create(&b, 0, run, &two);
  wake_when(2);
  pthread_mutex_lock(&mutex);
  pthread_cond_signal(&cond);
  pthread_cond_signal(&cond);
  pthread_mutex_unlock(&mutex);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(order[0] == 1);
  return 0;
}
