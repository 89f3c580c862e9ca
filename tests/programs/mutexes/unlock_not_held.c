// expect: false(lock-discipline) line 8
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int __VERIFIER_nondet_int(void);
int main(void) {
  int locked = __VERIFIER_nondet_int() & 1;
  if (locked) pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return 0;
}
