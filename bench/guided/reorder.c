// Threads that set two variables, not at once, and threads that look at both. Figure 9: SET from 1 to 7, CHECK 1.
#include <assert.h>
#include <pthread.h>

#ifndef SET
#define SET 1
#endif
#ifndef CHECK
#define CHECK 1
#endif

int a, b;

static void *set(void *unused) {
  a = 1;
  b = -1;
  return unused;
}

static void *check(void *unused) {
#ifdef CORRECT  // all runs have to be looked at
  assert(a == 0 || a == 1);
  assert(b == 0 || b == -1);
#else
  assert((a == 0 && b == 0) || (a == 1 && b == -1));
#endif
  return unused;
}

int main(void) {
  pthread_t threads[SET + CHECK];
  for (int i = 0; i < SET; i++) pthread_create(&threads[i], 0, set, 0);
  for (int i = 0; i < CHECK; i++) pthread_create(&threads[SET + i], 0, check, 0);
  for (int i = 0; i < SET + CHECK; i++) pthread_join(threads[i], 0);
  return 0;
}
