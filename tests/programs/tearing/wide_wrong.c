// expect: false(unreach-call) line 18
// An integer of 16 bytes is written by two accesses.
#include <assert.h>
#include <pthread.h>
#include <string.h>

static __int128 g;

static void* writer(void* arg) {
  g = ((__int128)1 << 64) + 1;
  return arg;
}

int main(void) {
  pthread_t x;
  pthread_create(&x, 0, writer, 0);
  __int128 l = g;
  assert((long)l == (long)(l >> 64));
  return 0;
}
