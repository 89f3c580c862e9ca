// expect: false(unreach-call) line 16
// Every thread gets the address of the same loop variable.
#include <assert.h>
#include <pthread.h>
static int seen[2];
static void *run(void *argument) {
  seen[*(int *)argument & 1]++;
  return 0;
}
int main(void) {
  pthread_t t[2];
  int i;
  for (i = 0; i < 2; i++) pthread_create(&t[i], 0, run, &i);
  int joined = 0;
  while (joined < 2) pthread_join(t[joined++], 0);
  assert(seen[0] == 1 && seen[1] == 1);
  return 0;
}
