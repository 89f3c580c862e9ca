// expect: false(unreach-call) line 10
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
static sem_t semaphore;
static int inside;
static void *run(void *argument) {
  sem_wait(&semaphore);
  inside++;
  assert(inside == 1);
  inside--;
  sem_post(&semaphore);
  return argument;
}
int main(void) {
  pthread_t a, b;
  sem_init(&semaphore, 0, 2);
  pthread_create(&a, 0, run, 0);
  pthread_create(&b, 0, run, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
