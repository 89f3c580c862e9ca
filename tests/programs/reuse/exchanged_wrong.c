// expect: false(unreach-call)
// property: unreach-call
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
static _Atomic(int *) top;
static void *a(void *p) {
  int *o = atomic_load(&top);
  int v = *o;
  int *e = o;
  if (atomic_compare_exchange_strong(&top, &e, 0)) assert(v == 1);
  return p;
}
static void *b(void *p) {
  int *o = atomic_exchange(&top, 0);
  if (o) {
    free(o);
    int *n = malloc(sizeof *n);
    *n = 2;
    atomic_store(&top, n);
  }
  return p;
}
int main(void) {
  int *n = malloc(sizeof *n);
  *n = 1;
  top = n;
  pthread_t s, t;
  pthread_create(&s, 0, a, 0);
  pthread_create(&t, 0, b, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  return 0;
}
