// expect: false(lock-discipline)
#include <pthread.h>
static pthread_t t;
int main(void) {
  pthread_join(t, 0);
  return 0;
}
