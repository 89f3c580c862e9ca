// Mutexes of all kinds.
#include "actors.h"

enum { kMutexes = 3 };
static struct {
  pthread_mutex_t lock;
  int kind, owner, count;
} m[kMutexes];

static int do_lock(int actor, int i) { return (void)actor, pthread_mutex_lock(&m[i].lock); }
static int do_try(int actor, int i) { return (void)actor, pthread_mutex_trylock(&m[i].lock); }
static int do_timed(int actor, int i) { return (void)actor, pthread_mutex_timedlock(&m[i].lock, &long_ago); }
static int do_unlock(int actor, int i) { return (void)actor, pthread_mutex_unlock(&m[i].lock); }

static void init(int i) {
  static const int kinds[] = {PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_ERRORCHECK,
                              PTHREAD_MUTEX_ADAPTIVE_NP};
  m[i].kind = kinds[any(4)];
  m[i].owner = kNone;
  m[i].count = 0;
  if (m[i].kind == PTHREAD_MUTEX_NORMAL && any(2)) {
    note("init", i, pthread_mutex_init(&m[i].lock, 0));
    return;
  }
  pthread_mutexattr_t attr;
  int kind = -1;
  pthread_mutexattr_init(&attr);
  note("bad", i, pthread_mutexattr_settype(&attr, 77));
  note("shared", i, pthread_mutexattr_setpshared(&attr, (int)any(3)));
  note("protocol", i, pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_NONE));
  note("type", i, pthread_mutexattr_settype(&attr, m[i].kind));
  pthread_mutexattr_gettype(&attr, &kind);
  note("init", kind, pthread_mutex_init(&m[i].lock, &attr));
  note("attr", i, pthread_mutexattr_destroy(&attr));
}

static void took(int i, int actor, int error) {
  if (error) return;
  m[i].owner = actor;
  m[i].count++;
}

static void round_of_calls(void) {
  for (int i = 0; i < kMutexes; i++) init(i);
  for (int n = 0; n < CALLS; n++) {
    int a = (int)any(kActors), i = (int)any(kMutexes), error;
    int checked = m[i].kind == PTHREAD_MUTEX_RECURSIVE || m[i].kind == PTHREAD_MUTEX_ERRORCHECK;
    switch (any(8)) {
      case 0:
      case 1:
        if (m[i].owner != kNone && !(m[i].owner == a && checked)) break;
        took(i, a, error = call(a, do_lock, i));
        note("lock", a, error);
        break;
      case 2:
        took(i, a, error = call(a, do_try, i));
        note("try", a, error);
        break;
      case 3:
        took(i, a, error = call(a, do_timed, i));
        note("timed", a, error);
        break;
      case 4:
      case 5:
        if (m[i].owner != a && !checked) break;
        error = call(a, do_unlock, i);
        note("unlock", a, error);
        if (!error && --m[i].count == 0) m[i].owner = kNone;
        break;
      case 6:
        if (m[i].owner != kNone) break;
        note("destroy", i, pthread_mutex_destroy(&m[i].lock));
        init(i);
        break;
      default:
        if (a == 0 || any(3)) break;
        end_actor(a);
        begin_actor(a);
        for (int k = 0; k < kMutexes; k++)
          if (m[k].owner == a) m[k].owner = kDead;
    }
  }
}
