// expect: false(unreach-call) line 28
// property: unreach-call
// hard-for: auto dash dpr merge explicit guided
// As pairs_of_slots.c, but others may take slots while a thread is between its first and its second one.
#include <assert.h>
#include <pthread.h>

int next, busy;

void take(int *first) {
  *first = next;
  if (next < 1000) {
    next++;
    next++;
  }
}

void *work(void *unused) {
  for (;;) {
    int first, i;
    take(&first);
    for (i = first; i < first + 2; i++) {
      busy = 1;
      busy = i;
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
