// expect: true
// proved-by: explicit guided
// property: no-data-race
#include <pthread.h>
pthread_key_t k;
static void *thread_a(void *p) {
  pthread_setspecific(k, (void *)1);
  return p;
}
static void *thread_b(void *p) {
  pthread_setspecific(k, (void *)2);
  return p;
}
int main(void) {
  pthread_t s, t;
  pthread_key_create(&k, 0);
  pthread_create(&s, 0, thread_a, 0);
  pthread_create(&t, 0, thread_b, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  return 0;
}
