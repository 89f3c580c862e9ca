// expect: true
// time: 4
// proved-by: explicit
// Peterson's algorithm, for ever.
#include <assert.h>
#include <pthread.h>
static volatile unsigned char wants[2], turn, inside;
static void *run(void *argument) {
  int me = (int)(long)argument;
  for (;;) {
    wants[me] = 1;
    turn = 1 - me;
    while (wants[1 - me] && turn == 1 - me) {
    }
    inside++;
    assert(inside == 1);
    inside--;
    wants[me] = 0;
  }
  return 0;
}
int main(void) {
  pthread_t other;
  pthread_create(&other, 0, run, (void *)1L);
  run((void *)0L);
  return 0;
}
