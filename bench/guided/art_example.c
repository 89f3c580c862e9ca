// Two threads count in turn and branch on inputs; the sums differ in every run, the invariant does not.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

int x, y, rounds = 2;

static void *one(void *unused) {
  for (int i = 0; i < 2; i++) {
    if (y > 5)
      x = x + 2;
    else
      x = x + 1;
  }
  return unused;
}

static void *two(void *unused) {
  for (int i = 0; i < 2; i++) {
    if (x > 1)
      y = y + 2;
    else
      y = y + 1;
  }
  return unused;
}

int main(void) {
  pthread_t a, b;
  y = __VERIFIER_nondet_int();
  if (y < 0 || y > 10) return 0;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, two, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x >= 2 && x <= 4 && y >= 2 && y <= 14);
  return 0;
}
