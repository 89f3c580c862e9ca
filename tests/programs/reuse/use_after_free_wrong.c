// expect: false(valid-deref) line 24
// property: valid-deref
// A place may be given again, and may not: the use of memory that was freed is found.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>

static int* item;
static int* _Atomic last;
static sem_t done;

static void* replace(void* arg) {
  free(item);
  atomic_store(&last, malloc(sizeof(int)));
  sem_post(&done);
  return arg;
}

static int use(int* old) {
  sem_wait(&done);
  if (atomic_load(&last) != old || 1)
    *old = 1;
  return *old;
}

int main(void) {
  pthread_t t;
  item = malloc(sizeof *item);
  int* old = item;
  sem_init(&done, 0, 0);
  pthread_create(&t, 0, replace, 0);
  int result = use(old);
  pthread_join(t, 0);
  return result;
}
