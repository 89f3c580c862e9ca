// expect: false(no-data-race)
// property: no-data-race
// A buffer that is written by one and printed into by the other.
#include <pthread.h>
#include <stdio.h>
static char text[8];
static void *run(void *unused) {
  sprintf(text, "%d", 3);
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  text[0] = 'x';
  pthread_join(t, 0);
  return 0;
}
