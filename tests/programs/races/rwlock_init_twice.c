// expect: false(no-data-race)
// property: no-data-race
// Both initialise it.
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
static pthread_rwlock_t l;
static void *a(void *p) {
  pthread_rwlock_init(&l, 0);
  return p;
}
static void *b(void *p) {
  pthread_rwlock_init(&l, 0);
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
