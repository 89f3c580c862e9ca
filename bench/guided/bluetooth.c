// A driver is stopped while requests may come in: counting the request and looking whether the driver stops are not one
// step, so a request can be worked on after everything was released.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int stopping, event, stopped;
int pending = 1;

static int enter(void) {
  if (stopping) return -1;
  __VERIFIER_atomic_begin();
  pending++;
  __VERIFIER_atomic_end();
  return 0;
}

static void leave(void) {
  int left;
  __VERIFIER_atomic_begin();
  left = --pending;
  __VERIFIER_atomic_end();
  if (left == 0) event = 1;
}

static void *stop(void *unused) {
  stopping = 1;
  leave();
  __VERIFIER_assume(event);
  stopped = 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, stop, 0);
  if (enter() == 0) {
    assert(!stopped);
    leave();
  }
  pthread_join(thread, 0);
  return 0;
}
