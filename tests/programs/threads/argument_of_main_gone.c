// expect: false(valid-deref) line 9
// hard-for: crowd
// main may return, and its local array with it, before the threads have read their elements.
#include <assert.h>
#include <pthread.h>
static int seen;
static void *run(void *argument) {
  (void)argument;
  seen += *(int *)argument;
  assert(seen < 2);
  return 0;
}
int main(void) {
  pthread_t t[2];
  int number[2] = {0, 1};
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, run, &number[i]);
  return 0;
}
