// expect: false(unreach-call) line 17
#include <assert.h>
#include <pthread.h>
static int prepared, runs;
static void *run(void *argument) {
  if (!prepared) {
    prepared = 1;
    runs++;
  }
  return argument;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, run, 0);
  run(0);
  pthread_join(a, 0);
  assert(runs == 1);
  return 0;
}
