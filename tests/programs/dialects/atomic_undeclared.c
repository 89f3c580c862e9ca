// expect: true
// time: 3
#include <pthread.h>
static int n;
static void *cprover(void *argument) {
  __CPROVER_atomic_begin();
  int seen = n;
  n = seen + 1;
  __CPROVER_atomic_end();
  return argument;
}
static void *esbmc(void *argument) {
  __ESBMC_atomic_begin();
  int seen = n;
  n = seen + 1;
  __ESBMC_atomic_end();
  return argument;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, cprover, 0);
  pthread_create(&b, 0, esbmc, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(n == 2);
  return 0;
}
