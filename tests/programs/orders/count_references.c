// expect: true
// proved-by: explicit guided
// property: no-data-race
// The last one frees: counting down orders the uses before.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct shared { atomic_int count; int value; };
static struct shared *object;
static void drop(void) {
  if (atomic_fetch_sub_explicit(&object->count, 1, memory_order_acq_rel) == 1) {
    free(object);
  }
}
static void *a(void *p) {
  object->value += 1;
  drop();
  return p;
}
int main(void) {
  pthread_t t;
  object = malloc(sizeof *object);
  atomic_init(&object->count, 2);
  object->value = 0;
  pthread_create(&t, 0, a, 0);
  drop();
  pthread_join(t, 0);
  return 0;
}
