// expect: false(unreach-call) line 14
#include <assert.h>
#include <pthread.h>
static int x, y;
static void *run(void *argument) {
  x++;
  y++;
  return argument;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, run, 0);
  int seen_x = x, seen_y = y;
  assert(seen_x == seen_y);
  pthread_join(a, 0);
  return 0;
}
