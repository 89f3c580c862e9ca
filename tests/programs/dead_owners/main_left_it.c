// expect: true
// proved-by: auto explicit
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

static void* find(void* unused) {
  assert(pthread_mutex_trylock(&m) == EBUSY);
  return unused;
}

static void* start(void* main_thread) {
  pthread_join(*(pthread_t*)main_thread, 0);
  pthread_t t;
  pthread_create(&t, 0, find, 0);
  pthread_join(t, 0);
  return 0;
}

static pthread_t self;

int main(void) {
  init(PTHREAD_MUTEX_RECURSIVE);
  self = pthread_self();
  pthread_mutex_lock(&m);
  pthread_t t;
  pthread_create(&t, 0, start, &self);
  pthread_exit(0);
}
