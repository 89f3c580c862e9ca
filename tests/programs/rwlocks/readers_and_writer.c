// expect: true
#include <assert.h>
#include <pthread.h>
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int x, y;
static void *read_both(void *argument) {
  pthread_rwlock_rdlock(&lock);
  assert(x == y);
  pthread_rwlock_unlock(&lock);
  return argument;
}
static void *write_both(void *argument) {
  pthread_rwlock_wrlock(&lock);
  x++;
  y++;
  pthread_rwlock_unlock(&lock);
  return argument;
}
int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, 0, read_both, 0);
  pthread_create(&b, 0, write_both, 0);
  pthread_create(&c, 0, read_both, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(c, 0);
  pthread_rwlock_destroy(&lock);
  return 0;
}
