// expect: true
// property: unreach-call
// proved-by: crowd
// Threads take two slots each, as often as they like; that `next` stays even and what was tested some steps before
// are facts of their own.
#include <assert.h>
#include <pthread.h>

int next, busy;

void __VERIFIER_atomic_take(int *first) {
  *first = next;
  if (next < 1000) next += 2;
}

void *work(void *unused) {
  for (;;) {
    int first, i;
    __VERIFIER_atomic_take(&first);
    for (i = first; i < first + 2; i++) {
      busy = 1;
      busy = i;
      busy = 2;
      busy = 0;
      assert(i < first + 2);
    }
    assert(first % 2 == 0);
  }
  return 0;
}

int main(void) {
  pthread_t t;
  for (;;) pthread_create(&t, 0, work, 0);
}
