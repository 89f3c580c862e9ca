// Sections of an endless loop do not keep others from what they do without the mutex.
// expect: false(unreach-call)
#include <assert.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
unsigned char x;
void *first(void *unused) {
  for (;;) {
    pthread_mutex_lock(&m);
    x = !x;
    pthread_mutex_unlock(&m);
  }
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
