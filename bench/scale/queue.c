// A bounded lock-free queue of many producers and consumers, each cell with a sequence number. PRODUCERS threads put
// ITEMS values each, CONSUMERS threads take them; what one producer puts arrives in its order.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef PRODUCERS
#define PRODUCERS 2
#endif
#ifndef CONSUMERS
#define CONSUMERS 2
#endif
#ifndef ITEMS
#define ITEMS 3
#endif
#ifndef SIZE
#define SIZE 2
#endif

extern void __VERIFIER_assume(int);

static _Atomic unsigned char sequence[SIZE];
static unsigned char data[SIZE];
static _Atomic unsigned char head, tail;

static void put(unsigned char value) {
  for (;;) {
    unsigned char at = tail;
    signed char difference = (signed char)(sequence[at % SIZE] - at);
    if (difference == 0 && atomic_compare_exchange_strong(&tail, &at, (unsigned char)(at + 1))) {
      data[at % SIZE] = value;
      sequence[at % SIZE] = (unsigned char)(at + 1);
      return;
    }
  }
}

static unsigned char take(void) {
  for (;;) {
    unsigned char at = head;
    signed char difference = (signed char)(sequence[at % SIZE] - (unsigned char)(at + 1));
    if (difference == 0 && atomic_compare_exchange_strong(&head, &at, (unsigned char)(at + 1))) {
      unsigned char value = data[at % SIZE];
      sequence[at % SIZE] = (unsigned char)(at + SIZE);
      return value;
    }
  }
}

static void *producer(void *argument) {
  unsigned char me = (unsigned char)(unsigned long)argument;
  for (unsigned char i = 1; i <= ITEMS; i++) put((unsigned char)(me * 16 + i));
  return 0;
}

static void *consumer(void *argument) {
  unsigned char last[PRODUCERS] = {0};
  for (unsigned char i = 0; i < PRODUCERS * ITEMS / CONSUMERS; i++) {
    unsigned char value = take();
    assert(value / 16 < PRODUCERS && value % 16 > last[value / 16]);
    last[value / 16] = value % 16;
  }
  return argument;
}

int main(void) {
  pthread_t thread;
  for (unsigned char i = 0; i < SIZE; i++) sequence[i] = i;
  for (unsigned long i = 0; i < PRODUCERS; i++) pthread_create(&thread, 0, producer, (void *)i);
  for (unsigned long i = 1; i < CONSUMERS; i++) pthread_create(&thread, 0, consumer, 0);
  consumer(0);
  return 0;
}
