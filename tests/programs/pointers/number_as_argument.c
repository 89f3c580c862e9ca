// Small numbers are handed to threads as pointers.
// expect: true
// proved-by: explicit
#include <assert.h>
#include <pthread.h>

static void *run(void *p) {
  int i = (int)(long)p;
  assert(i == 7 || i == -1);
  return (void *)(long)(i + 1);
}
int main(void) {
  pthread_t a, b;
  int n = 7, m = -1;
  void *r;
  pthread_create(&a, 0, run, (void *)(long)n);
  pthread_create(&b, 0, run, (void *)(long)m);
  pthread_join(a, &r);
  assert((long)r == 8);
  pthread_join(b, 0);
  return 0;
}
