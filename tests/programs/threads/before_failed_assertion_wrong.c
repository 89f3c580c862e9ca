// expect: false(no-div-by-zero)
// property: no-div-by-zero
// Assertions are not asked about: a failed one ends the program, and others may run before.
#include <assert.h>
#include <pthread.h>
int x;
static void *look(void *argument) {
  return argument == 0 && 1 / (1 - x) ? 0 : argument;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, look, 0);
  x = 1;
  assert(x == 0);
}
