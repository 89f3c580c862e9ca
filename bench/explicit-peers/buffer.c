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

unsigned char slot[SIZE], head, count;
unsigned char ready; /* the twins in other languages start all processes at once */
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void __VERIFIER_atomic_start(void) { __VERIFIER_assume(ready == P + C - 1); }

static void *producer(void *argument) {
  unsigned char item = (unsigned char)(unsigned long)argument;
  if (item != 1) __atomic_add_fetch(&ready, 1, __ATOMIC_SEQ_CST);
  for (;;) {
    pthread_mutex_lock(&lock);
    if (count < SIZE) {
      slot[(head + count) % SIZE] = item;
      count = count + 1;
    }
    pthread_mutex_unlock(&lock);
  }
  return 0;
}

static void *consumer(void *argument) {
  __atomic_add_fetch(&ready, 1, __ATOMIC_SEQ_CST);
  for (;;) {
    pthread_mutex_lock(&lock);
    if (count > 0) {
      unsigned char item = slot[head];
      assert(item >= 1 && item <= P);
      slot[head] = 0;
      head = (head + 1) % SIZE;
      count = count - 1;
    }
    pthread_mutex_unlock(&lock);
  }
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_mutex_lock(&lock);
  for (unsigned long i = 2; i <= P; i++) pthread_create(&thread, 0, producer, (void *)i);
  for (unsigned long i = 0; i < C; i++) pthread_create(&thread, 0, consumer, 0);
  __VERIFIER_atomic_start();
  pthread_mutex_unlock(&lock);
  producer((void *)1);
  return 0;
}
