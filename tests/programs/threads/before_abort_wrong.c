// expect: false(unreach-call)
// The thread may run between the write and the end of the program.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int x;
static void *look(void *argument) {
  assert(x == 0);
  return argument;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, look, 0);
  x = 1;
  abort();
}
