// expect: false(valid-deref) line 8
#include <pthread.h>
#include <stdlib.h>
int main(void) {
  pthread_mutex_t *mutex = malloc(sizeof *mutex);
  pthread_mutex_init(mutex, 0);
  free(mutex);
  pthread_mutex_lock(mutex);
  return 0;
}
