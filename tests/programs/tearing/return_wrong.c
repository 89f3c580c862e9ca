// expect: false(unreach-call) line 23
// What a function returns by value is read member by member.
#include <assert.h>
#include <pthread.h>
#include <string.h>

struct S {
  int a, b, c, d, e, f;
} g;

static struct S get(void) { return g; }

static void* writer(void* arg) {
  struct S n = {1, 1, 1, 1, 1, 1};
  g = n;
  return arg;
}

int main(void) {
  pthread_t x;
  pthread_create(&x, 0, writer, 0);
  struct S l = get();
  assert(l.a == l.f);
  return 0;
}
