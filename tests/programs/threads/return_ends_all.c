// expect: true
// Threads that are still running when main returns are gone; endless loops included.
#include <pthread.h>
static void *spin(void *argument) {
  for (;;) {
  }
  return argument;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, spin, 0);
  return 0;
}
