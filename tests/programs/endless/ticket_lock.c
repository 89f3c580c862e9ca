// expect: true
// time: 4
// proved-by: explicit
// A ticket lock for three threads, for ever: tickets go round.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_uchar next, serving;
static volatile unsigned char inside;
static void *run(void *argument) {
  for (;;) {
    unsigned char mine = atomic_fetch_add(&next, 1) & 3;
    while ((serving & 3) != mine) {
    }
    inside++;
    assert(inside == 1);
    inside--;
    atomic_fetch_add(&serving, 1);
  }
  return argument;
}
int main(void) {
  pthread_t other;
  pthread_create(&other, 0, run, 0);
  pthread_create(&other, 0, run, 0);
  run(0);
  return 0;
}
