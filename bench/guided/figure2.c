// Two threads, six runs, one reason. The first thread is main itself. x begins with any value up to LIMIT; there is no
// branch for larger ones, which would be a run more.
#include <assert.h>
#include <pthread.h>

#ifndef LIMIT
#define LIMIT 10
#endif

extern unsigned short __VERIFIER_nondet_ushort(void);

int x;

static void *second(void *unused) {
  int a = x;
  int b = x;
  assert(a <= b);
  return unused;
}

int main(void) {
  pthread_t thread;
  x = LIMIT - __VERIFIER_nondet_ushort();
  pthread_create(&thread, 0, second, 0);
  x = 10;
  x = 20;
  pthread_exit(0);
}
