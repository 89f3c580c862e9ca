// pthread_once.
#include "actors.h"

enum { kControls = 3 };
static pthread_once_t control[kControls];
static int ran[kControls], current;

static void routine(void) { ran[current]++; }
static void nested(void) {
  ran[current]++;
  int outer = current;
  current = (current + 1) % kControls;
  if (!ran[current]) pthread_once(&control[current], routine);
  current = outer;
}

static int do_once(int actor, int i) {
  current = i;
  return (void)actor, pthread_once(&control[i], i % 2 ? nested : routine);
}

static void round_of_calls(void) {
  for (int i = 0; i < kControls; i++) {
    static const pthread_once_t fresh = PTHREAD_ONCE_INIT;
    control[i] = fresh;
    ran[i] = 0;
  }
  for (int n = 0; n < CALLS / 2; n++) {
    int a = (int)any(kActors), i = (int)any(kControls);
    note("once", a, call(a, do_once, i));
    for (int k = 0; k < kControls; k++) note("ran", k, ran[k]);
  }
}
