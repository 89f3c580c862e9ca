// expect: true
// proved-by: auto explicit
#include <assert.h>
#include <pthread.h>

static int rounds;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void* count(void* unused) {
  pthread_mutex_lock(&m);
  rounds++;
  pthread_mutex_unlock(&m);
  return unused;
}

// More threads than there are numbers: nothing remembers those that ended.
int main(void) {
  for (int i = 0; i < 100; i++) {
    pthread_t t;
    pthread_create(&t, 0, count, 0);
    pthread_join(t, 0);
  }
  assert(rounds == 100);
  return 0;
}
