// expect: true
// proved-by: explicit guided
// Inside of an atomic section copies are not seen half done.
#include <assert.h>
#include <pthread.h>
#include <string.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

struct S {
  int a, b;
  char text[9];
} g;

static void* writer(void* arg) {
  struct S n;
  memset(&n, 1, sizeof n);
  __VERIFIER_atomic_begin();
  g = n;
  __VERIFIER_atomic_end();
  __VERIFIER_atomic_begin();
  memcpy(&g, &n, sizeof g);
  __VERIFIER_atomic_end();
  __VERIFIER_atomic_begin();
  memset(&g, 1, sizeof g);
  __VERIFIER_atomic_end();
  return arg;
}

int main(void) {
  pthread_t x;
  pthread_create(&x, 0, writer, 0);
  __VERIFIER_atomic_begin();
  struct S l = g;
  __VERIFIER_atomic_end();
  assert(l.a == l.b && l.text[0] == l.text[8] && (l.a != 0) == (l.text[4] != 0));
  pthread_join(x, 0);
  return 0;
}
