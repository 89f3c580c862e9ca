// expect: true
// proved-by: explicit guided
// time: 5
// property: no-data-race
// Peterson's lock with atomics.
#include <pthread.h>
#include <stdatomic.h>
static atomic_int want[2], turn;
static int x;
static void enter(int me) {
  want[me] = 1;
  turn = 1 - me;
  while (want[1 - me] && turn == 1 - me) {
  }
}
static void *run(void *p) {
  enter(1);
  x++;
  want[1] = 0;
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  enter(0);
  x++;
  want[0] = 0;
  pthread_join(t, 0);
  return 0;
}
