// expect: false(no-deadlock) line 7
#include <semaphore.h>
int main(void) {
  sem_t semaphore;
  sem_init(&semaphore, 0, 1);
  sem_wait(&semaphore);
  sem_wait(&semaphore);
  return 0;
}
