// expect: true
// proved-by: explicit guided
// time: 5
// property: no-data-race
// A writer and a reader.
#include <assert.h>
#include <pthread.h>
static int x, h; static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static void *a(void *p) {
  pthread_rwlock_wrlock(&l); x++; pthread_rwlock_unlock(&l);
  return p;
}
static void *b(void *p) {
  pthread_rwlock_rdlock(&l); h = x; pthread_rwlock_unlock(&l);
  return p;
}
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, a, 0);
  pthread_create(&t, 0, b, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  return 0;
}
