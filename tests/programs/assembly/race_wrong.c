// expect: false(unreach-call) line 20
// hard-for: test explicit dpr guided merge dash
// Without the prefix the addition is two steps.
#include <assert.h>
#include <pthread.h>
static int count;
static void *run(void *unused) {
  (void)unused;
  __asm__ volatile("incl %0" : "+m"(count) : : "memory");
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, run, 0);
  pthread_create(&b, 0, run, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  // clang-format off
  //
  assert(count == 2);
  return 0;
}
