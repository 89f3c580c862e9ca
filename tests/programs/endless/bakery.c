// expect: true
// time: 4
// proved-by: explicit
// Lamport's bakery for two, for ever; tickets that are too high are given back.
#include <assert.h>
#include <pthread.h>
static volatile unsigned char choosing[2], number[2], inside;
static void *run(void *argument) {
  int me = (int)(long)argument, other = 1 - me;
  for (;;) {
    choosing[me] = 1;
    unsigned char mine = number[other] + 1;
    if (mine > 7) {
      choosing[me] = 0;
      continue;
    }
    number[me] = mine;
    choosing[me] = 0;
    while (choosing[other]) {
    }
    for (;;) {
      unsigned char theirs = number[other];
      if (theirs == 0 || theirs > mine || (theirs == mine && me < other)) break;
    }
    inside++;
    assert(inside == 1);
    inside--;
    number[me] = 0;
  }
  return 0;
}
int main(void) {
  pthread_t other;
  pthread_create(&other, 0, run, (void *)1L);
  run((void *)0L);
  return 0;
}
