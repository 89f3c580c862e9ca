// expect: true
// time: 4
// proved-by: explicit
// Dekker's algorithm, for ever.
#include <assert.h>
#include <pthread.h>
static volatile unsigned char wants[2], turn, inside;
static void *run(void *argument) {
  int me = (int)(long)argument;
  for (;;) {
    wants[me] = 1;
    while (wants[1 - me]) {
      if (turn != me) {
        wants[me] = 0;
        while (turn != me) {
        }
        wants[me] = 1;
      }
    }
    inside++;
    assert(inside == 1);
    inside--;
    turn = 1 - me;
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
