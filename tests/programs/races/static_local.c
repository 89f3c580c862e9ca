// expect: false(no-data-race)
// property: no-data-race
// A function with a memory of its own.
#include <pthread.h>
static int next(void) {
  static int n;
  return n++;
}
static void *run(void *unused) {
  next();
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  next();
  pthread_join(t, 0);
  return 0;
}
