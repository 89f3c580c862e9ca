// expect: false(valid-deref)
// property: valid-deref
#include <pthread.h>
static void *worker(void *argument) {
  *(int *)argument = 5;
  return 0;
}
int main(void) {
  pthread_t thread;
  {
    int x = 1;
    pthread_create(&thread, 0, worker, &x);
  }
  pthread_join(thread, 0);
  return 0;
}
