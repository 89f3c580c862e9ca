// Two threads, six runs, one reason. The thread `first` is main's own second half.
#include <assert.h>
#include <pthread.h>

#ifndef LIMIT
#define LIMIT 10
#endif

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int x;

static void *second(void *unused) {
  int a = x;
  int b = x;
  assert(a <= b);
  return unused;
}

int main(void) {
  pthread_t thread;
  x = __VERIFIER_nondet_int();
  __VERIFIER_assume(x <= LIMIT);
  pthread_create(&thread, 0, second, 0);
  x = 10;
  x = 20;
  pthread_exit(0);
}
