// expect: false(unreach-call) line 18
// memset writes bytes.
#include <assert.h>
#include <pthread.h>
#include <string.h>

static char g[4];

static void* writer(void* arg) {
  memset(g, 1, sizeof g);
  return arg;
}

int main(void) {
  pthread_t x;
  pthread_create(&x, 0, writer, 0);
  char first = g[0];
  assert(!(first == 1 && g[3] == 0));
  return 0;
}
