// expect: false(no-data-race)
// property: no-data-race
#include <pthread.h>
#include <stdio.h>
int n;
static void *thread_a(void *p) {
  n = 1;
  return p;
}
static void *thread_b(void *p) {
  scanf("%d", &n);
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
