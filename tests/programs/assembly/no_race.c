// expect: true
// proved-by: auto
// With the prefix it is one.
#include <assert.h>
#include <pthread.h>
static int count;
static void *run(void *unused) {
  (void)unused;
  __asm__ volatile("lock; incl %0" : "+m"(count) : : "memory");
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
