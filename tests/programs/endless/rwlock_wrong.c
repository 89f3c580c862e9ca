// expect: false(unreach-call)
// time: 4
// hard-for: test dpr
// A reader looks, then counts itself in: a writer may come between.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_uchar lock;
static volatile unsigned char readers, writers;
static void *read_for_ever(void *argument) {
  for (;;) {
    unsigned char seen = lock;
    if (seen == 255) continue;
    lock = seen + 1;
    readers = 1;
    assert(writers == 0);
    readers = 0;
    atomic_fetch_sub(&lock, 1);
  }
  return argument;
}
static void *write_for_ever(void *argument) {
  for (;;) {
    unsigned char seen = 0;
    if (!atomic_compare_exchange_strong(&lock, &seen, 255)) continue;
    writers++;
    assert(writers == 1);
    writers--;
    lock = 0;
  }
  return argument;
}
int main(void) {
  pthread_t other;
  pthread_create(&other, 0, read_for_ever, 0);
  pthread_create(&other, 0, read_for_ever, 0);
  pthread_create(&other, 0, write_for_ever, 0);
  write_for_ever(0);
  return 0;
}
