// expect: false(unreach-call) line 15
#include <assert.h>
#include <pthread.h>
static int counter;
static void *run(void *argument) {
  for (int i = 0; i < 2; i++) counter++;
  return argument;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, run, 0);
  pthread_create(&b, 0, run, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(counter == 4);
  return 0;
}
