// expect: false(unreach-call) line 19
#include <assert.h>
#include <pthread.h>
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int n;
static void *run(void *argument) {
  pthread_rwlock_rdlock(&lock);
  int seen = n;
  n = seen + 1;
  pthread_rwlock_unlock(&lock);
  return argument;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, run, 0);
  pthread_create(&b, 0, run, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(n == 2);
  return 0;
}
