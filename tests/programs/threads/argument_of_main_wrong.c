// expect: false(unreach-call) line 20
// property: unreach-call
// The second thread may come first: nothing orders them.
#include <assert.h>
#include <pthread.h>
static int last = -1;
static int seen[2];
static void *run(void *argument) {
  int me = *(int *)argument;
  seen[me]++;
  last = me;
  return 0;
}
int main(void) {
  pthread_t t[2];
  int number[2] = {0, 1};
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, run, &number[i]);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  assert(seen[0] == 1 && seen[1] == 1);
  assert(last == 1);
}
