// expect: false(unreach-call) line 19
// memmove to higher addresses begins at the end: 7 is never lost, and for a while it is there twice.
#include <assert.h>
#include <pthread.h>
#include <string.h>

static char g[3] = {7, 8, 9};

static void* writer(void* arg) {
  memmove(g + 1, g, 2);
  return arg;
}

int main(void) {
  pthread_t x;
  pthread_create(&x, 0, writer, 0);
  char last = g[2];
  if (last == 8)
    assert(g[1] == 7);
  return 0;
}
