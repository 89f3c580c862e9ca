// expect: false(unreach-call)
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int x;
static void h(void) {
  assert(!x);
}
static void *a(void *p) {
  x = 1;
  pthread_exit(0);
}
int main(void) {
  atexit(h);
  pthread_t t;
  pthread_create(&t, 0, a, 0);
  pthread_detach(t);
  pthread_exit(0);
}
