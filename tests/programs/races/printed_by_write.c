// expect: false(no-data-race)
// property: no-data-race
// write reads the buffer.
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
static char text[4] = "abc";
static void *a(void *p) {
  write(1, text, 3);
  return p;
}
static void *b(void *p) {
  text[1] = 'x';
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
