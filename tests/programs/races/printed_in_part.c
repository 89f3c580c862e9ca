// expect: true
// proved-by: explicit guided
// property: no-data-race
#include <pthread.h>
#include <stdio.h>
char b[4] = "abc";
static void *thread_a(void *p) {
  b[2] = 'x';
  return p;
}
static void *thread_b(void *p) {
  printf("%.2s", b);
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
