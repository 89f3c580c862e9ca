// expect: false(unreach-call)
// property: unreach-call
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
static uintptr_t old;
static void *a(void *p) {
  int *n = malloc(4);
  assert((uintptr_t)n != old);
  free(n);
  return p;
}
static void *b(void *p) {
  int *n = malloc(4);
  old = (uintptr_t)n;
  free(n);
  return p;
}
int main(void) {
  pthread_t s, t;
  pthread_create(&t, 0, b, 0);
  pthread_create(&s, 0, a, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  return 0;
}
