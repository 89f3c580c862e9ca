// expect: true
#include <assert.h>
#include <pthread.h>
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int runs;
static void prepare(void) { runs++; }
static void *run(void *argument) {
  pthread_once(&once, prepare);
  assert(runs == 1);
  return argument;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, run, 0);
  pthread_create(&b, 0, run, 0);
  run(0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
