// expect: false(unreach-call) line 8
#include <assert.h>
#include <pthread.h>

static int busy;

static void* work(void* unused) {
  assert(!busy);
  busy = 1;
  busy = 0;
  return unused;
}

int main(void) {
  for (;;) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
  }
}
