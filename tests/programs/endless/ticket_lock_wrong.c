// expect: false(unreach-call) line 16
// time: 4
// hard-for: test dpr
// Two tickets for three threads.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_uchar next, serving;
static volatile unsigned char inside;
static void *run(void *argument) {
  for (;;) {
    unsigned char mine = atomic_fetch_add(&next, 1) & 1;
    while ((serving & 1) != mine) {
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
