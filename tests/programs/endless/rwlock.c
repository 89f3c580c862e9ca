// expect: true
// time: 4
// proved-by: explicit
// A reader-writer lock, for ever: two readers, two writers. 255: a writer is in; otherwise the number of readers.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_uchar lock;
static volatile unsigned char readers, writers;
static void *read_for_ever(void *argument) {
  for (;;) {
    unsigned char seen = lock;
    if (seen == 255 || !atomic_compare_exchange_strong(&lock, &seen, seen + 1)) continue;
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
