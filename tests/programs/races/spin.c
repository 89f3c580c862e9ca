// expect: true
// proved-by: explicit guided
// time: 5
// property: no-data-race
// A spin lock.
#include <assert.h>
#include <pthread.h>
static int x; static pthread_spinlock_t l;
static void *a(void *p) {
  pthread_spin_lock(&l); x++; pthread_spin_unlock(&l);
  return p;
}
static void *b(void *p) {
  pthread_spin_lock(&l); x++; pthread_spin_unlock(&l);
  return p;
}
int main(void) {
  pthread_t s, t;
  pthread_spin_init(&l, 0);
  pthread_create(&s, 0, a, 0);
  pthread_create(&t, 0, b, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  return 0;
}
