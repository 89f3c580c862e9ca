// expect: true
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
static sem_t ping, pong;
static int turn;
static void *run(void *argument) {
  for (int i = 0; i < 3; i++) {
    sem_wait(&ping);
    assert(turn == 2 * i + 1);
    turn++;
    sem_post(&pong);
  }
  return argument;
}
int main(void) {
  pthread_t t;
  sem_init(&ping, 0, 0);
  sem_init(&pong, 0, 0);
  pthread_create(&t, 0, run, 0);
  for (int i = 0; i < 3; i++) {
    turn++;
    sem_post(&ping);
    sem_wait(&pong);
    assert(turn == 2 * i + 2);
  }
  pthread_join(t, 0);
  return 0;
}
