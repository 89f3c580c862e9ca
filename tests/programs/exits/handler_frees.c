// expect: true
// proved-by: explicit guided merge dpr
// property: valid-memcleanup
#include <pthread.h>
#include <stdlib.h>
static char *b;
static void h(void) {
  free(b);
}
int main(void) {
  b = malloc(3);
  atexit(h);
  pthread_exit(0);
}
