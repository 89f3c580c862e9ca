// expect: false(lock-discipline) line 9
#include <pthread.h>

static pthread_spinlock_t l;

int main(void) {
  pthread_spin_init(&l, 0);
  pthread_spin_destroy(&l);
  pthread_spin_destroy(&l);
  return 0;
}
