// expect: false(unreach-call)
#include <assert.h>
#include <pthread.h>
#include <string.h>
char g[4];
static void *thread_a(void *p) {
  strcpy(g, "ab");
  return p;
}
static void *thread_b(void *p) {
  char x = g[0], y = g[1];
  assert(!(x && !y));
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
