// expect: true
// proved-by: explicit
#include <assert.h>
#include <pthread.h>
static int seen;
static void *look(void *unused) {
  int now = seen;
  assert(now == 0 || now == 1);
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, look, 0);
  seen = 1;
  for (;;) {
  }
}
