// expect: true
#include <assert.h>
#include <errno.h>
#include <pthread.h>
static void *twice(void *argument) { return (void *)((long)argument * 2); }
static void *leave(void *argument) { pthread_exit(argument); }
int main(void) {
  pthread_t a, b;
  void *result;
  assert(pthread_create(&a, 0, twice, (void *)21l) == 0);
  assert(pthread_create(&b, 0, leave, &a) == 0);
  assert(!pthread_equal(a, b) && pthread_equal(pthread_self(), pthread_self()));
  assert(pthread_join(a, &result) == 0 && result == (void *)42l);
  assert(pthread_join(b, &result) == 0 && result == &a);
  assert(pthread_join(pthread_self(), 0) == EDEADLK);
  return 0;
}
