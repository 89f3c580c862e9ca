// expect: true
// proved-by: explicit guided
// time: 5
// property: no-data-race
// The object is written before its pointer is given away, and again when the pointer has come back.
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
static int *box;
static sem_t full, done;
static void *run(void *p) {
  sem_wait(&full);
  *box += 1;
  sem_post(&done);
  return p;
}
int main(void) {
  pthread_t t;
  sem_init(&full, 0, 0);
  sem_init(&done, 0, 0);
  pthread_create(&t, 0, run, 0);
  int *p = malloc(sizeof *p);
  *p = 1;
  box = p;
  sem_post(&full);
  sem_wait(&done);
  *p += 1;
  free(p);
  pthread_join(t, 0);
  return 0;
}
