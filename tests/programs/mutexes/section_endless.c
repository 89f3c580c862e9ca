// A critical section that never ends does not keep others from what they do without the mutex.
// expect: false(unreach-call)
#include <assert.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
unsigned char x;
void *first(void *unused) {
  pthread_mutex_lock(&m);
  for (;;) x++;
}
void *second(void *unused) {
  assert(0);
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
