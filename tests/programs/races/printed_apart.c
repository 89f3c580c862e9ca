// expect: true
// proved-by: explicit guided
// time: 5
// property: no-data-race
// Only the bytes before it are read.
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
static char text[4] = "abc";
static void *a(void *p) {
  write(1, text, 2); printf("%.2s", text);
  return p;
}
static void *b(void *p) {
  text[2] = 'x';
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
