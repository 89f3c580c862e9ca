// expect: false(valid-deref)
// The room for the threads is never made: no step of the program can be followed beyond it, whatever engine looks at it.
#include <pthread.h>
#include <stdlib.h>

struct pool;
struct thread {
  int id;
  pthread_t pthread;
  struct pool *pool;
};
struct pool {
  struct thread **threads;
  volatile int alive;
};
static volatile int keep;

static void *work(struct thread *thread) {
  struct pool *pool = thread->pool;
  while (keep) pool->alive++;
  return NULL;
}
static void start(struct pool *pool, struct thread **thread) {
  if (*thread == NULL) pool->alive = 0;
  pthread_create(&(*thread)->pthread, NULL, (void *(*)(void *))work, *thread);
}
int main(void) {
  struct pool *pool = malloc(sizeof *pool);
  for (int n = 0; n < 2; n++) start(pool, &pool->threads[n]);
}
