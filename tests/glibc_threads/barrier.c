// Barriers: how many of those that meet are told that they are the one.
#include "actors.h"

static pthread_barrier_t barrier;

static int do_wait(int actor, int i) { return (void)actor, (void)i, pthread_barrier_wait(&barrier); }

static void round_of_calls(void) {
  note("none", 0, pthread_barrier_init(&barrier, 0, 0));
  int count = 1 + (int)any(kActors);
  pthread_barrierattr_t attr;
  pthread_barrierattr_init(&attr);
  note("shared", 0, pthread_barrierattr_setpshared(&attr, (int)any(3)));
  note("init", count, pthread_barrier_init(&barrier, any(2) ? &attr : 0, (unsigned)count));
  for (int n = 0; n < CALLS / 8; n++) {
    int first = (int)any(kActors), serial = 0, others = 0, with_main = 0;
    for (int k = 0; k < count; k++) {
      int a = (first + k) % kActors;
      if (a == 0)
        with_main = 1;
      else
        start(a, do_wait, 0);
    }
    for (int k = 0; k < count; k++) {
      int a = (first + count - 1 - k) % kActors;
      if (a == 0) continue;
      if (with_main) {  // main comes last of all
        int result = do_wait(0, 0);
        with_main = 0;
        result == PTHREAD_BARRIER_SERIAL_THREAD ? serial++ : others++;
      }
      int result = finish(a);
      result == PTHREAD_BARRIER_SERIAL_THREAD ? serial++ : others++;
    }
    if (with_main) note("alone", 0, do_wait(0, 0) == PTHREAD_BARRIER_SERIAL_THREAD);
    note("met", serial, others);
  }
  note("destroy", 0, pthread_barrier_destroy(&barrier));
}
