// expect: true
#include <assert.h>
#include <pthread.h>
static void *worker(void *argument) {
  *(int *)argument += 5;
  return 0;
}
int main(void) {
  for (int i = 0; i < 2; i++) {
    pthread_t thread;
    int x = i;
    pthread_create(&thread, 0, worker, &x);
    pthread_join(thread, 0);
    assert(x == i + 5);
  }
  return 0;
}
