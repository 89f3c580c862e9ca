// expect: true
#include <assert.h>
#include <pthread.h>
#define SIZE 2
#define ITEMS 3
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
static int buffer[SIZE], count, in, out;
static void *produce(void *argument) {
  for (int i = 1; i <= ITEMS; i++) {
    pthread_mutex_lock(&mutex);
    while (count == SIZE) pthread_cond_wait(&not_full, &mutex);
    buffer[in] = i;
    in = (in + 1) % SIZE;
    count++;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&mutex);
  }
  return argument;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, produce, 0);
  for (int i = 1; i <= ITEMS; i++) {
    pthread_mutex_lock(&mutex);
    while (count == 0) pthread_cond_wait(&not_empty, &mutex);
    assert(buffer[out] == i);
    out = (out + 1) % SIZE;
    count--;
    pthread_cond_signal(&not_full);
    pthread_mutex_unlock(&mutex);
  }
  pthread_join(t, 0);
  return 0;
}
