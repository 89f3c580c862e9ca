// One thread sends numbers over a ring, the other receives them; a flag that should make them take turns is looked at
// under the lock, but the wrong number is expected.
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 3
#endif
#define SIZE 10

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int ring[SIZE];
unsigned first, next;
int sending = 1, receiving;

static void insert(int value) {
  ring[next] = value;
  next = (next + 1) % SIZE;
}

static int removed(void) {
  if (first == next) return -1;
  int value = ring[first];
  first = (first + 1) % SIZE;
  return value;
}

static void *sender(void *unused) {
  for (int i = 0; i < N; i++) {
    pthread_mutex_lock(&m);
    if (sending) {
      insert(i);
      sending = 0;
      receiving = 1;
    }
    pthread_mutex_unlock(&m);
  }
  return unused;
}

static void *receiver(void *unused) {
  for (int i = 0; i < N; i++) {
    pthread_mutex_lock(&m);
    if (receiving) {
      assert(removed() == i);
      receiving = 0;
      sending = 1;
    }
    pthread_mutex_unlock(&m);
  }
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, sender, 0);
  pthread_create(&two, 0, receiver, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return 0;
}
