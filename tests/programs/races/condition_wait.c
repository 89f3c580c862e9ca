// expect: true
// proved-by: explicit guided
// time: 5
// property: no-data-race
// The wait orders them.
#include <assert.h>
#include <pthread.h>
static int x, full; static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static void *a(void *p) {
  pthread_mutex_lock(&m); x = 1; full = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m);
  return p;
}
static void *b(void *p) {
  pthread_mutex_lock(&m); while (!full) pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m); x = 2;
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
