// expect: false(no-data-race)
// property: no-data-race
#include <pthread.h>
#include <string.h>
char b[4] = "a,b";
char *s1;
static void *thread_a(void *p) {
  b[0] = 'x';
  return p;
}
static void *thread_b(void *p) {
  strtok_r(b, ",", &s1);
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
