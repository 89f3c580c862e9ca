// expect: false(unreach-call) line 18
// A struct is copied member by member: another thread sees some of them new and others old.
#include <assert.h>
#include <pthread.h>

struct S {
  int a, b, c, d;
} g;

static void* writer(void* arg) {
  struct S n = {1, 1, 1, 1};
  g = n;
  return arg;
}

static void* reader(void* arg) {
  struct S l = g;
  assert(l.a == l.d);
  return arg;
}

int main(void) {
  pthread_t x, y;
  pthread_create(&x, 0, writer, 0);
  pthread_create(&y, 0, reader, 0);
  pthread_join(x, 0);
  pthread_join(y, 0);
  return 0;
}
