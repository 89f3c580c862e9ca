// expect: true
// proved-by: explicit
#include <assert.h>
#include <pthread.h>

static int busy;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void* work(void* unused) {
  pthread_mutex_lock(&m);
  assert(!busy);
  busy = 1;
  busy = 0;
  pthread_mutex_unlock(&m);
  return unused;
}

// Starts and joins threads for ever: finitely many states.
int main(void) {
  for (;;) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
  }
}
