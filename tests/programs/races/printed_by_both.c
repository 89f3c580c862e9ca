// expect: true
// proved-by: explicit guided
// time: 5
// property: no-data-race
// All of them read.
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
static char text[4] = "abc";
static void *a(void *p) {
  puts(text); write(1, text, 3);
  return p;
}
static void *b(void *p) {
  printf("%s", text);
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
