// A ring buffer keeps order, whatever is asked of it.
#include <assert.h>

unsigned char __VERIFIER_nondet_uchar(void);
_Bool __VERIFIER_nondet_bool(void);

#define SIZE 4
#define CALLS 6

int main(void) {
  unsigned char ring[SIZE], sent[CALLS];
  unsigned head = 0, tail = 0, puts = 0, gets = 0;
  for (int i = 0; i < CALLS; ++i) {
    if (__VERIFIER_nondet_bool()) {
      if (head - tail == SIZE) continue;
      sent[puts] = ring[head++ % SIZE] = __VERIFIER_nondet_uchar();
      ++puts;
    } else if (head != tail) {
      assert(ring[tail++ % SIZE] == sent[gets]);
      ++gets;
    }
  }
  assert(puts - gets == head - tail);
}
