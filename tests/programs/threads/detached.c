// expect: true
#include <assert.h>
#include <pthread.h>
static void *run(void *argument) { return argument; }
int main(void) {
  pthread_attr_t attributes;
  pthread_t a, b;
  int state;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  assert(pthread_attr_getdetachstate(&attributes, &state) == 0 && state == PTHREAD_CREATE_DETACHED);
  pthread_create(&a, &attributes, run, 0);
  pthread_attr_destroy(&attributes);
  pthread_create(&b, 0, run, 0);
  assert(pthread_detach(b) == 0);
  return 0;
}
