// expect: true
// proved-by: explicit guided
// time: 5
// property: no-data-race
#include <pthread.h>
static char bytes[2];
static void *run(void *argument) {
  bytes[1] = 1;
  return argument;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  bytes[0] = 1;
  pthread_join(t, 0);
  return bytes[1];
}
