#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
static sem_t empty, full;
static int buffer[3], in, out;
static atomic_int produced;
static void *produce(void *argument) {
  for (int i = 0; i < 10; i++) {
    sem_wait(&empty);
    buffer[in] = i * 7;
    in = (in + 1) % 3;
    produced++;
    sem_post(&full);
  }
  return argument;
}
int main(void) {
  pthread_t t;
  sem_init(&empty, 0, 3);
  sem_init(&full, 0, 0);
  pthread_create(&t, 0, produce, 0);
  for (int i = 0; i < 10; i++) {
    sem_wait(&full);
    printf("%d ", buffer[out]);
    out = (out + 1) % 3;
    sem_post(&empty);
  }
  pthread_join(t, 0);
  printf("%d\n", produced);
  return 0;
}
