// expect: true
// proved-by: explicit guided
// Each thread gets the address of its own element of a local array of main, whose end ends them.
#include <assert.h>
#include <pthread.h>
static int seen;
static void *run(void *argument) {
  seen += *(int *)argument;
  assert(*(int *)argument < 2);
  return 0;
}
int main(void) {
  pthread_t t[2];
  int number[2] = {0, 1};
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, run, &number[i]);
  return 0;
}
