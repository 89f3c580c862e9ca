// expect: true
// Threads are sequentially consistent here: both cannot miss the other's write.
#include <assert.h>
#include <pthread.h>
static int x, y, seen_x, seen_y;
static void *first(void *argument) {
  x = 1;
  seen_y = y;
  return argument;
}
static void *second(void *argument) {
  y = 1;
  seen_x = x;
  return argument;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(seen_x || seen_y);
  return 0;
}
