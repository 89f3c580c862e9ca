#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int turn, log_[20], used;
static void *run(void *argument) {
  int me = *(int *)argument;
  for (int i = 0; i < 5; i++) {
    pthread_mutex_lock(&mutex);
    while (turn != me) pthread_cond_wait(&cond, &mutex);
    log_[used++] = me * 10 + i;
    turn = (turn + 1) % 3;
    pthread_cond_broadcast(&cond);
    pthread_mutex_unlock(&mutex);
  }
  return 0;
}
int main(void) {
  pthread_t t[3];
  int ids[3] = {0, 1, 2};
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, run, &ids[i]);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  for (int i = 0; i < used; i++) printf("%d ", log_[i]);
  printf("\n");
  return 0;
}
