// expect: true
#include <assert.h>
#include <errno.h>
#include <pthread.h>
static pthread_spinlock_t lock;
static int n;
static void *run(void *argument) {
  pthread_spin_lock(&lock);
  int seen = n;
  n = seen + 1;
  pthread_spin_unlock(&lock);
  return argument;
}
int main(void) {
  pthread_t a, b;
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
  pthread_create(&a, 0, run, 0);
  pthread_create(&b, 0, run, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(n == 2);
  assert(pthread_spin_trylock(&lock) == 0 && pthread_spin_trylock(&lock) == EBUSY);
  pthread_spin_unlock(&lock);
  pthread_spin_destroy(&lock);
  return 0;
}
