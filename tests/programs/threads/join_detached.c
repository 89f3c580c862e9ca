// expect: false(lock-discipline)
#include <pthread.h>
static void *run(void *unused) { return unused; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  pthread_detach(t);
  pthread_join(t, 0);
  return 0;
}
