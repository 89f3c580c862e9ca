// Figure 4 of Proofs from Tests: at the end of each round either the lock is free and y has changed, or it is held and
// y has not. Needs an invariant that relates two fields, and Inc to leave the lock alone.
// -DBROKEN: one round in which y is 99 forgets to free the lock.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);

typedef struct {
  int lock;
  int y;
} DE;

static void inc(DE *de) { de->y++; }

static void prove_me2(DE *de, int x) {
  de->lock = 0;
  do {
    assert(de->lock == 0);
    de->lock = 1;
    x = de->y;
    if (__VERIFIER_nondet_bool()) {
#ifdef BROKEN
      if (x != 99)
#endif
        de->lock = 0;
      inc(de);
    }
  } while (x != de->y);
}

int main(void) {
  DE de = {__VERIFIER_nondet_int(), __VERIFIER_nondet_int()};
  prove_me2(&de, __VERIFIER_nondet_int());
  return 0;
}
