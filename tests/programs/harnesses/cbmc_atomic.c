// expect: true
#include <cbmc.h>
#include <pthread.h>
static int n;
static void *run(void *argument) {
  __CPROVER_atomic_begin();
  int seen = n;
  n = seen + 1;
  __CPROVER_atomic_end();
  return argument;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, run, 0);
  pthread_create(&b, 0, run, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  __CPROVER_assert(n == 2, "both count");
  return 0;
}
