// expect: false(unreach-call) line 33
// property: unreach-call
// The memory is freed between the post and the malloc after it: these two are not one step.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>

static sem_t go;
static int *p, *q;

static void* maker(void* arg) {
  sem_post(&go);
  p = malloc(sizeof *p);
  return arg;
}

static void* breaker(void* arg) {
  sem_wait(&go);
  free(q);
  return arg;
}

int main(void) {
  pthread_t x, y;
  sem_init(&go, 0, 0);
  q = malloc(sizeof *q);
  pthread_create(&x, 0, maker, 0);
  pthread_create(&y, 0, breaker, 0);
  pthread_join(x, 0);
  pthread_join(y, 0);
  assert(p != q);
  return 0;
}
