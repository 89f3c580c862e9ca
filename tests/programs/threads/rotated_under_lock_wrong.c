// expect: false(unreach-call) line 30
// property: unreach-call
// A thread that rotates does not take the lock, but gives back what another one has taken.
#include <assert.h>
#include <pthread.h>

int a = 1, b = 2, c = 3, kept, lock;

extern void __VERIFIER_assume(int);

void __VERIFIER_atomic_take(void) {
  __VERIFIER_assume(lock == 0);
  lock = 1;
}

void *rotate(void *unused) {
  for (;;) {
    kept = a;
    a = b;
    b = c;
    c = kept;
    lock = 0;
  }
  return 0;
}

void *look(void *unused) {
  for (;;) {
    __VERIFIER_atomic_take();
    assert(a != b && b != c && c != a);
    lock = 0;
  }
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, look, 0);
  for (;;) pthread_create(&t, 0, rotate, 0);
}
