// expect: false(unreach-call) line 22
// Inputs that are forgotten one by one, and whose sum is not: a violation needs values for all of them.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
int sum;
static void *add(void *unused) {
  int value = __VERIFIER_nondet_int();
  __VERIFIER_assume(value >= 0 && value <= 100000);
  sum += value;
  return unused;
}

int main(void) {
  for (int round = 0; round < 3; round++) {
    pthread_t thread;
    pthread_create(&thread, 0, add, 0);
    pthread_join(thread, 0);
  }
  assert(sum < 300000);
  return 0;
}
