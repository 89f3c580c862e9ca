// expect: true
// proved-by: explicit guided
// Members that are aligned scalars are not torn themselves.
#include <assert.h>
#include <pthread.h>
#include <string.h>

struct S {
  int a;
  long b;
} g;

static void* writer(void* arg) {
  struct S n = {-1, -1};
  g = n;
  return arg;
}

int main(void) {
  pthread_t x;
  pthread_create(&x, 0, writer, 0);
  struct S l = g;
  assert(l.a == 0 || l.a == -1);
  assert(l.b == 0 || l.b == -1);
  return 0;
}
