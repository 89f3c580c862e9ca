// expect: false(unreach-call) line 9
// hard-for: test
// The first thread never does anything visible again; the second must get its turn all the same.
#include <assert.h>
#include <pthread.h>
static int seen;
static void *look(void *unused) {
  int now = seen;
  assert(now == 0);
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, look, 0);
  seen = 1;
  for (;;) {
  }
}
