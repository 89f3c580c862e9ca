// expect: false(unreach-call) line 22
#include <pthread.h>
static int n;
static void *half(void *argument) {
  __ESBMC_atomic_begin();
  int seen = n;
  __ESBMC_atomic_end();
  n = seen + 1;
  return argument;
}
static void *whole(void *argument) {
  n = 2;
  return argument;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, half, 0);
  pthread_create(&b, 0, whole, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  if (n < 2)
    assert(0);
  return 0;
}
