// expect: false(lock-discipline) line 10
#include <pthread.h>
#include <semaphore.h>

static sem_t s;

int main(void) {
  sem_init(&s, 0, 0);
  sem_destroy(&s);
  sem_wait(&s);
  return 0;
}
