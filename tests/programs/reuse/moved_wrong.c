// expect: false(unreach-call)
// property: unreach-call
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
static int *old;
static void *a(void *p) {
  int *n = malloc(64);
  assert(n != old);
  return p;
}
int main(void) {
  old = malloc(64);
  int *q = realloc(old, 4000);
  (void)q;
  pthread_t t;
  if (q != old) {
    pthread_create(&t, 0, a, 0);
    pthread_join(t, 0);
  }
  return 0;
}
