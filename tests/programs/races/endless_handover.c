// expect: true
// time: 5
// property: no-data-race
// proved-by: explicit
#include <pthread.h>
#include <semaphore.h>
static int x;
static sem_t ping, pong;
static void *run(void *p) {
  for (;;) {
    sem_wait(&ping);
    x = !x;
    sem_post(&pong);
  }
  return p;
}
int main(void) {
  pthread_t t;
  sem_init(&ping, 0, 1);
  sem_init(&pong, 0, 0);
  pthread_create(&t, 0, run, 0);
  for (;;) {
    sem_wait(&pong);
    x = !x;
    sem_post(&ping);
  }
}
