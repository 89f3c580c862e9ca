// expect: false(unreach-call)
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static void *never(void *argument) {
  assert(!"reached");
  return argument;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, never, 0);
  _Exit(1);
}
