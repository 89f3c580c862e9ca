// expect: true
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static pthread_key_t key;
static int destroyed;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void destroy(void *value) {
  free(value);
  pthread_mutex_lock(&mutex);
  destroyed++;
  pthread_mutex_unlock(&mutex);
}
static void *run(void *argument) {
  int *value = malloc(sizeof *value);
  assert(pthread_getspecific(key) == 0);
  *value = *(int *)argument;
  pthread_setspecific(key, value);
  assert(*(int *)pthread_getspecific(key) == *(int *)argument);
  return 0;
}
int main(void) {
  pthread_t a, b;
  int one = 1, two = 2;
  pthread_key_create(&key, destroy);
  pthread_create(&a, 0, run, &one);
  pthread_create(&b, 0, run, &two);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(destroyed == 2 && pthread_getspecific(key) == 0);
  pthread_key_delete(key);
  return 0;
}
