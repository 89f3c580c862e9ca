// expect: true
// proved-by: explicit guided
// time: 5
// property: no-data-race
// A bit-field of width zero ends the memory location.
#include <assert.h>
#include <pthread.h>
static struct { unsigned a : 3; unsigned : 0; unsigned b : 3; } s_;
static void *a(void *p) {
  s_.a = 1;
  return p;
}
static void *b(void *p) {
  s_.b = 1;
  return p;
}
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, a, 0);
  pthread_create(&t, 0, b, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  return 0;
}
