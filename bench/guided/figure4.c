// Two threads take numbers from x and y, which begin with any value, and branch on what they got: 54 runs.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

int x, y;

static void work(void) {
  int p, q;
  if (__atomic_fetch_add(&x, 1, __ATOMIC_SEQ_CST) == 0)
    p = 1;
  else
    p = 2;
  if (__atomic_fetch_add(&y, 1, __ATOMIC_SEQ_CST) == 0)
    q = 1;
  else
    q = 2;
  assert(p + q >= 2);
}

static void *thread(void *unused) {
  work();
  return unused;
}

int main(void) {
  pthread_t other;
  x = __VERIFIER_nondet_int();
  y = __VERIFIER_nondet_int();
  pthread_create(&other, 0, thread, 0);
  work();
  pthread_exit(0);
}
