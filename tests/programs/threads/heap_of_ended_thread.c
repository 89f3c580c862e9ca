// expect: true
// proved-by: explicit guided
// An object that a thread made and left to main is main's; its number is given to the next thread.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
void *make(void *unused) {
  int *p = malloc(sizeof *p);
  *p = 1;
  return p;
}
void *idle(void *unused) { return 0; }
int main(void) {
  pthread_t t;
  void *made;
  pthread_create(&t, 0, make, 0);
  pthread_join(t, &made);
  int *mine = made;
  pthread_create(&t, 0, idle, 0);
  *mine += 1;
  pthread_join(t, 0);
  assert(*mine == 2);
  free(mine);
  return 0;
}
