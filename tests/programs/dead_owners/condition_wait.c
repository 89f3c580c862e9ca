// expect: false(lock-discipline) line 23
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t m;

static void init(int type) {
  pthread_mutexattr_t attr;
  pthread_mutexattr_init(&attr);
  pthread_mutexattr_settype(&attr, type);
  pthread_mutex_init(&m, &attr);
}

static void* leave(void* unused) {
  pthread_mutex_lock(&m);
  return unused;
}

static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void* find(void* unused) {
  pthread_cond_wait(&c, &m);
  return unused;
}

int main(void) {
  init(PTHREAD_MUTEX_NORMAL);
  pthread_t t;
  pthread_create(&t, 0, leave, 0);
  pthread_join(t, 0);
  pthread_create(&t, 0, find, 0);
  pthread_join(t, 0);
  return 0;
}
