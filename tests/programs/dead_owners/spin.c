// expect: false(lock-discipline) line 15
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_spinlock_t l;

static void* leave(void* unused) {
  pthread_spin_lock(&l);
  return unused;
}

static void* find(void* unused) {
  assert(pthread_spin_trylock(&l) == EBUSY);
  pthread_spin_unlock(&l);
  return unused;
}

int main(void) {
  pthread_spin_init(&l, 0);
  pthread_t t;
  pthread_create(&t, 0, leave, 0);
  pthread_join(t, 0);
  pthread_create(&t, 0, find, 0);
  pthread_join(t, 0);
  return 0;
}
