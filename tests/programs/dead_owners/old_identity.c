// expect: true
// proved-by: auto explicit
#include <assert.h>
#include <pthread.h>

static pthread_t old;

static void* nothing(void* unused) { return unused; }

static void* compare(void* unused) {
  assert(!pthread_equal(old, pthread_self()));
  return unused;
}

// Whoever keeps a pthread_t can tell that it is not that of a later thread.
int main(void) {
  pthread_create(&old, 0, nothing, 0);
  pthread_join(old, 0);
  pthread_t t;
  pthread_create(&t, 0, compare, 0);
  assert(!pthread_equal(old, t));
  assert(pthread_join(t, 0) == 0);
  return 0;
}
