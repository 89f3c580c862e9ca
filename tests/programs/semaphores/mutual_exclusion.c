// expect: true
#include <assert.h>
#include <errno.h>
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
  int value;
  sem_init(&semaphore, 0, 1);
  pthread_create(&a, 0, run, 0);
  pthread_create(&b, 0, run, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(sem_getvalue(&semaphore, &value) == 0 && value == 1);
  assert(sem_trywait(&semaphore) == 0 && sem_trywait(&semaphore) == -1 && errno == EAGAIN);
  sem_destroy(&semaphore);
  return 0;
}
