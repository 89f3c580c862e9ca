// A bounded queue between a producer and a consumer, with the mistake everyone makes once: `if` instead of `while`.
//
//   whittle check --property unreach-call examples/queue.c
//
// Two consumers wait for one item. A thread that comes late may take it between the signal and the moment the woken thread
// has the mutex again; the woken one then finds the queue empty.
//
// property: unreach-call
// expect: false(unreach-call) line 20
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
static int items;

static void *consume(void *unused) {
  pthread_mutex_lock(&mutex);
  if (items == 0) pthread_cond_wait(&not_empty, &mutex);
  assert(items > 0);
  items--;
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void *produce(void *unused) {
  pthread_mutex_lock(&mutex);
  items++;
  pthread_cond_signal(&not_empty);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t a, b, p;
  pthread_create(&a, 0, consume, 0);
  pthread_create(&b, 0, consume, 0);
  pthread_create(&p, 0, produce, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(p, 0);
  return 0;
}
