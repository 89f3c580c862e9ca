// expect: true
// options: --data-model ILP32
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t semaphore;
static int value;
static void *run(void *argument) {
  pthread_mutex_lock(&mutex);
  value = 1;
  pthread_cond_signal(&ready);
  pthread_mutex_unlock(&mutex);
  sem_post(&semaphore);
  pthread_barrier_wait(&barrier);
  return argument;
}
int main(void) {
  pthread_t t;
  pthread_barrier_init(&barrier, 0, 2);
  sem_init(&semaphore, 0, 0);
  pthread_create(&t, 0, run, 0);
  pthread_mutex_lock(&mutex);
  while (!value) pthread_cond_wait(&ready, &mutex);
  pthread_mutex_unlock(&mutex);
  sem_wait(&semaphore);
  pthread_barrier_wait(&barrier);
  pthread_join(t, 0);
  char text[16];
  assert(snprintf(text, sizeof text, "%ld %lld %.1f", 5l, 6ll, 2.5) == 7);
  return 0;
}
