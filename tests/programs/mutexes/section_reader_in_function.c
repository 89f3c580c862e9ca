// The reader locks in a function that may also not do so.
// expect: false(unreach-call)
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
extern int __VERIFIER_nondet_int(void);
int begin(void) {
  if (__VERIFIER_nondet_int()) return 0;
  pthread_mutex_lock(&m);
  return 1;
}
void *second(void *unused) {
  int locked = begin();
  assert(x == 0);
  if (locked) pthread_mutex_unlock(&m);
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
