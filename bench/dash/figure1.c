// Figure 1 of Proofs from Tests: p cannot point to what malloc has just returned, although p is set to p1 and to p2
// later. Without the order of the statements (a flow-insensitive alias analysis) that is lost.
// -DBROKEN: p2 is the structure of the caller for one value of y.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_error(void);

typedef struct {
  int lock;
  int y;
} DE;

static void prove_me1(DE *p, DE *p1, DE *p2) {
  p1 = malloc(sizeof(DE));
  p1->lock = 0;
#ifdef BROKEN
  if (p->y == 12345)
    p2 = p;
  else
#endif
    p2 = malloc(sizeof(DE));
  p2->lock = 0;
  p->lock = 1;
  if (p1->lock == 1 || p2->lock == 1) __VERIFIER_error();
  p = p1;
  p = p2;
}

int main(void) {
  DE a = {__VERIFIER_nondet_int(), __VERIFIER_nondet_int()};
  DE b = {__VERIFIER_nondet_int(), __VERIFIER_nondet_int()};
  // The inputs may alias each other.
  DE *p = __VERIFIER_nondet_bool() ? &a : &b;
  DE *p1 = __VERIFIER_nondet_bool() ? &a : &b;
  DE *p2 = __VERIFIER_nondet_bool() ? &a : &b;
  prove_me1(p, p1, p2);
  return 0;
}
