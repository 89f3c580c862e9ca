// expect: unknown
#include <pthread.h>
static void *run(void *argument) { return argument; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  pthread_cancel(t);
  pthread_join(t, 0);
  return 0;
}
