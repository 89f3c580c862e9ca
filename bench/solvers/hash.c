// What is put into a hash table is found there.
#include <assert.h>

unsigned __VERIFIER_nondet_uint(void);

#define SLOTS 8
#define KEYS 3

static unsigned slots[SLOTS];
static char used[SLOTS];

static unsigned slot_of(unsigned key) {
  unsigned s = (key * 2654435761u) >> 29;
  while (used[s] && slots[s] != key) s = (s + 1) % SLOTS;
  return s;
}

int main(void) {
  unsigned keys[KEYS];
  for (int i = 0; i < KEYS; ++i) {
    keys[i] = __VERIFIER_nondet_uint();
    unsigned s = slot_of(keys[i]);
    slots[s] = keys[i];
    used[s] = 1;
  }
  for (int i = 0; i < KEYS; ++i) assert(used[slot_of(keys[i])]);
}
