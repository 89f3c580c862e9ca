// expect: true
// proved-by: explicit guided
// time: 5
// property: no-data-race
// Under a lock.
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
static char text[4] = "abc"; static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *a(void *p) {
  pthread_mutex_lock(&m); puts(text); pthread_mutex_unlock(&m);
  return p;
}
static void *b(void *p) {
  pthread_mutex_lock(&m); text[0] = 'x'; pthread_mutex_unlock(&m);
  return p;
}
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, a, 0);
  pthread_create(&t, 0, b, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  return 0;
}
