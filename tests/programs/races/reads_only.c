// expect: true
// proved-by: explicit guided
// time: 5
// property: no-data-race
#include <pthread.h>
static int shared = 3;
static void *run(void *argument) {
  *(int *)argument = shared;
  return 0;
}
int main(void) {
  pthread_t t;
  int copy;
  pthread_create(&t, 0, run, &copy);
  int own = shared;
  pthread_join(t, 0);
  return own - copy;
}
