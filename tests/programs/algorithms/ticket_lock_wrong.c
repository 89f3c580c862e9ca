// expect: false(unreach-call) line 24
// Drawing a ticket takes two steps.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_uint next, serving;
static int shared;
static void *run(void *argument) {
  unsigned mine = next;
  next = mine + 1;
  if (serving == mine) {
    int seen = shared;
    shared = seen + 1;
    serving = serving + 1;
  }
  return argument;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, run, 0);
  pthread_create(&b, 0, run, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(serving == (unsigned)shared);
  return 0;
}
