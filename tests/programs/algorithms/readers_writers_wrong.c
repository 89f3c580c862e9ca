// expect: false(unreach-call) line 11
// property: unreach-call
// The count of readers is not protected, so the last reader may not notice that it is the last, or let a writer in early.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
static sem_t resource;
static volatile int readers, writing;
static void *reader(void *argument) {
  if (++readers == 1) sem_wait(&resource);
  assert(!writing);
  if (--readers == 0) sem_post(&resource);
  return argument;
}
static void *writer(void *argument) {
  sem_wait(&resource);
  writing = 1;
  writing = 0;
  sem_post(&resource);
  return argument;
}
int main(void) {
  pthread_t a, b, c;
  sem_init(&resource, 0, 1);
  pthread_create(&a, 0, reader, 0);
  pthread_create(&b, 0, reader, 0);
  pthread_create(&c, 0, writer, 0);
  pthread_join(c, 0);
  return 0;
}
