// A bounded buffer with P producers and C consumers, endlessly: the twin of buffer.pml and buffer.m.
#include <assert.h>
#include <pthread.h>
#ifndef P
#define P 4
#endif
#ifndef C
#define C 4
#endif
#ifndef SIZE
#define SIZE 5
#endif

extern void __VERIFIER_assume(int);

unsigned char slot[SIZE], head, count, lock;

static void __VERIFIER_atomic_acquire(void) {
  __VERIFIER_assume(!lock);
  lock = 1;
}

static void *producer(void *argument) {
  unsigned char item = (unsigned char)(unsigned long)argument;
  for (;;) {
    __VERIFIER_atomic_acquire();
    if (count < SIZE) {
      slot[(head + count) % SIZE] = item;
      count = count + 1;
    }
    lock = 0;
  }
  return 0;
}

static void *consumer(void *argument) {
  for (;;) {
    __VERIFIER_atomic_acquire();
    if (count > 0) {
      unsigned char item = slot[head];
      assert(item >= 1 && item <= P);
      slot[head] = 0;
      head = (head + 1) % SIZE;
      count = count - 1;
    }
    lock = 0;
  }
  return argument;
}

int main(void) {
  pthread_t thread;
  for (unsigned long i = 2; i <= P; i++) pthread_create(&thread, 0, producer, (void *)i);
  for (unsigned long i = 0; i < C; i++) pthread_create(&thread, 0, consumer, 0);
  producer((void *)1);
  return 0;
}
