// The reader locks in a function, always.
// expect: true
#include <assert.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
int x;
void *first(void *unused) {
  pthread_mutex_lock(&m);
  x = 1;
  x = 0;
  pthread_mutex_unlock(&m);
  return 0;
}
void begin(void) { pthread_mutex_lock(&m); }
void end(void) { pthread_mutex_unlock(&m); }
void *second(void *unused) {
  begin();
  assert(x == 0);
  end();
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
