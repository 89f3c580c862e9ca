// POSIX semaphores. A call that fails shows errno with a minus sign.
#include "actors.h"

#include <limits.h>

enum { kSemaphores = 3 };
static sem_t s[kSemaphores];

static int code(int result) { return result == -1 ? -errno : result; }
static int do_wait(int actor, int i) { return (void)actor, code(sem_wait(&s[i])); }
static int do_try(int actor, int i) { return (void)actor, code(sem_trywait(&s[i])); }
static int do_timed(int actor, int i) { return (void)actor, code(sem_timedwait(&s[i], &long_ago)); }
static int do_badly_timed(int actor, int i) {
  struct timespec never = {1, any(2) ? -1 : 1000000000};
  return (void)actor, code(sem_timedwait(&s[i], &never));
}
static int do_post(int actor, int i) { return (void)actor, code(sem_post(&s[i])); }
static int value(int i) {
  int n = -1;
  sem_getvalue(&s[i], &n);
  return n;
}

static void init(int i) {
  unsigned n = any(8) ? any(3) : any(2) ? INT_MAX : INT_MAX - 1u;
  note("toomany", i, code(sem_init(&s[i], 0, INT_MAX + 1u)));
  note("init", i, code(sem_init(&s[i], 0, n)));
}

static void round_of_calls(void) {
  for (int i = 0; i < kSemaphores; i++) init(i);
  for (int n = 0; n < CALLS; n++) {
    int a = (int)any(kActors), i = (int)any(kSemaphores);
    switch (any(8)) {
      case 0:
        if (value(i) > 0) note("wait", a, call(a, do_wait, i));
        break;
      case 1: note("try", a, call(a, do_try, i)); break;
      case 2: note("timed", a, call(a, do_timed, i)); break;
      case 3:
        if (value(i) == 0) note("badtime", a, call(a, do_badly_timed, i));
        break;
      case 4:
      case 5: note("post", a, call(a, do_post, i)); break;
      case 6:
        if (a != 0 && value(i) == 0) {  // another actor lets it go on
          start(a, do_wait, i);
          note("release", a, call(0, do_post, i));
          note("wait", a, finish(a));
        }
        break;
      default:
        note("value", i, value(i));
        if (any(3)) break;
        note("destroy", i, code(sem_destroy(&s[i])));
        init(i);
    }
  }
}
