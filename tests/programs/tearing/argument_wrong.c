// expect: false(unreach-call) line 20
// An argument that is a struct is read member by member, also where it goes into one register.
#include <assert.h>
#include <pthread.h>
#include <string.h>

struct S {
  int a;
  short b, c;
} g;

static void check(struct S s);

static void* writer(void* arg) {
  g.b = 1;
  g.c = 1;
  return arg;
}

static void check(struct S s) { assert(s.c == 0 || s.b == 1); }

int main(void) {
  pthread_t x;
  pthread_create(&x, 0, writer, 0);
  check(g);
  return 0;
}
