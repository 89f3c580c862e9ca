// expect: false(unreach-call) line 22
// Between reading a member and writing it, another thread can run.
#include <assert.h>
#include <pthread.h>
#include <string.h>

struct S {
  int a;
} g, h;

static void* writer(void* arg) {
  h = g;
  return arg;
}

int main(void) {
  pthread_t x;
  pthread_create(&x, 0, writer, 0);
  g.a = 1;
  h.a = 2;
  pthread_join(x, 0);
  assert(h.a != 0);
  return 0;
}
