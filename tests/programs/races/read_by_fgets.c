// expect: false(no-data-race)
// property: no-data-race
#include <pthread.h>
#include <stdio.h>
char b[8];
static void *thread_a(void *p) {
  b[0] = 'x';
  return p;
}
static void *thread_b(void *p) {
  if (fgets(b, 8, stdin)) {
  }
  return p;
}
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, thread_a, 0);
  pthread_create(&t, 0, thread_b, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  return 0;
}
