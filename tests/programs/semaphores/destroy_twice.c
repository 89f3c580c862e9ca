// expect: false(lock-discipline) line 10
#include <pthread.h>
#include <semaphore.h>

static sem_t s;

int main(void) {
  sem_init(&s, 0, 1);
  sem_destroy(&s);
  sem_destroy(&s);
  return 0;
}
