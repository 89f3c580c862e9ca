// expect: true
// proved-by: explicit guided
// time: 5
// property: no-data-race
#include <pthread.h>
#include <semaphore.h>
static sem_t done;
static int data;
static void *run(void *argument) {
  data = 1;
  sem_post(&done);
  return argument;
}
int main(void) {
  pthread_t t;
  sem_init(&done, 0, 0);
  pthread_create(&t, 0, run, 0);
  sem_wait(&done);
  data++;
  pthread_join(t, 0);
  return data;
}
