// expect: true
// proved-by: explicit guided
// time: 5
// property: no-data-race
// Different ones; the semaphore itself may be used by all.
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
static sem_t sem; static int v, w;
static void *a(void *p) {
  sem_getvalue(&sem, &v);
  return p;
}
static void *b(void *p) {
  sem_getvalue(&sem, &w); sem_post(&sem);
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
