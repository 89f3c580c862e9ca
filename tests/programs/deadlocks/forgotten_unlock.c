// expect: false(no-deadlock)
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int n;
static void *run(void *argument) {
  pthread_mutex_lock(&mutex);
  if (n == 1) return argument;
  n++;
  pthread_mutex_unlock(&mutex);
  return argument;
}
int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, run, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  return 0;
}
