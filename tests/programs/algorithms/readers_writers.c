// expect: true
// The first reader locks writers out, the last one lets them in.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
static sem_t count_lock, resource;
static int readers, value, writing;
static void *reader(void *argument) {
  sem_wait(&count_lock);
  if (++readers == 1) sem_wait(&resource);
  sem_post(&count_lock);
  assert(!writing);
  sem_wait(&count_lock);
  if (--readers == 0) sem_post(&resource);
  sem_post(&count_lock);
  return argument;
}
static void *writer(void *argument) {
  sem_wait(&resource);
  writing = 1;
  value++;
  writing = 0;
  sem_post(&resource);
  return argument;
}
int main(void) {
  pthread_t a, b, c;
  sem_init(&count_lock, 0, 1);
  sem_init(&resource, 0, 1);
  pthread_create(&a, 0, reader, 0);
  pthread_create(&b, 0, reader, 0);
  pthread_create(&c, 0, writer, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(c, 0);
  assert(value == 1);
  return 0;
}
