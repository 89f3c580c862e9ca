// expect: false(unreach-call) line 21
// A member that is not aligned is no single access.
#include <assert.h>
#include <pthread.h>
#include <string.h>

static struct __attribute__((packed)) {
  char c;
  int a;
} g;

static void* writer(void* arg) {
  g.a = -1;
  return arg;
}

int main(void) {
  pthread_t x;
  pthread_create(&x, 0, writer, 0);
  int l = g.a;
  assert(l == 0 || l == -1);
  return 0;
}
