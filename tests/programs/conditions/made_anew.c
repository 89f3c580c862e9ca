// expect: true
// proved-by: auto explicit
#include <pthread.h>

static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

int main(void) {
  pthread_cond_destroy(&c);
  pthread_cond_init(&c, 0);
  pthread_cond_broadcast(&c);
  pthread_cond_destroy(&c);
  return 0;
}
