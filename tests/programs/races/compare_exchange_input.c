// expect: false(no-data-race)
// property: no-data-race
// hard-for: test
// Only with one value of the input the exchange writes.
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
static int x = 123456, h, n;
static void *run(void *p) {
  __sync_val_compare_and_swap(&x, n, 5);
  return p;
}
int main(void) {
  pthread_t t;
  n = __VERIFIER_nondet_int();
  pthread_create(&t, 0, run, 0);
  h = x;
  pthread_join(t, 0);
  return 0;
}
