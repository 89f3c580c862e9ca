// expect: false(no-data-race)
// property: no-data-race
// One uses what the other one initialises.
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
static sem_t sem;
static void *a(void *p) {
  sem_init(&sem, 0, 1);
  return p;
}
static void *b(void *p) {
  sem_post(&sem);
  return p;
}
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, a, 0);
  pthread_create(&t, 0, b, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  return 0;
}
