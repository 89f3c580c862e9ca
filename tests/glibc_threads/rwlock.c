// Reader-writer locks.
#include "actors.h"

enum { kLocks = 2 };
static struct {
  pthread_rwlock_t lock;
  int writer, readers, read_by[kActors];
} l[kLocks];

static int do_read(int actor, int i) { return (void)actor, pthread_rwlock_rdlock(&l[i].lock); }
static int do_write(int actor, int i) { return (void)actor, pthread_rwlock_wrlock(&l[i].lock); }
static int do_try_read(int actor, int i) { return (void)actor, pthread_rwlock_tryrdlock(&l[i].lock); }
static int do_try_write(int actor, int i) { return (void)actor, pthread_rwlock_trywrlock(&l[i].lock); }
static int do_timed_read(int actor, int i) { return (void)actor, pthread_rwlock_timedrdlock(&l[i].lock, &long_ago); }
static int do_timed_write(int actor, int i) { return (void)actor, pthread_rwlock_timedwrlock(&l[i].lock, &long_ago); }
static int do_unlock(int actor, int i) { return (void)actor, pthread_rwlock_unlock(&l[i].lock); }

static void init(int i) {
  pthread_rwlockattr_t attr;
  pthread_rwlockattr_init(&attr);
  note("shared", i, pthread_rwlockattr_setpshared(&attr, (int)any(3)));
  note("kind", i, pthread_rwlockattr_setkind_np(&attr, (int)any(3)));
  note("init", i, pthread_rwlock_init(&l[i].lock, any(2) ? &attr : 0));
  pthread_rwlockattr_destroy(&attr);
  l[i].writer = kNone;
  l[i].readers = 0;
  for (int k = 0; k < kActors; k++) l[i].read_by[k] = 0;
}

static int reads(int i, int a, int error) {
  if (!error) l[i].readers++, l[i].read_by[a]++;
  return error;
}
static int writes(int i, int a, int error) {
  if (!error) l[i].writer = a;
  return error;
}

static void round_of_calls(void) {
  for (int i = 0; i < kLocks; i++) init(i);
  for (int n = 0; n < CALLS; n++) {
    int a = (int)any(kActors), i = (int)any(kLocks);
    int unheld = l[i].readers == 0 && l[i].writer == kNone;
    switch (any(10)) {
      case 0:
      case 1:
        if (l[i].writer == kNone) note("read", a, reads(i, a, call(a, do_read, i)));
        break;
      case 2:
        if (unheld) note("write", a, writes(i, a, call(a, do_write, i)));
        break;
      case 3: note("tryread", a, reads(i, a, call(a, do_try_read, i))); break;
      case 4: note("trywrite", a, writes(i, a, call(a, do_try_write, i))); break;
      case 5: note("timedread", a, reads(i, a, call(a, do_timed_read, i))); break;
      case 6: note("timedwrite", a, writes(i, a, call(a, do_timed_write, i))); break;
      case 7:
      case 8:
        if (l[i].writer != a && !l[i].read_by[a]) break;
        note("unlock", a, call(a, do_unlock, i));
        if (l[i].writer == a)
          l[i].writer = kNone;
        else
          l[i].readers--, l[i].read_by[a]--;
        break;
      default:
        if (unheld && any(2)) {
          note("destroy", i, pthread_rwlock_destroy(&l[i].lock));
          init(i);
        } else if (a != 0 && !any(3)) {
          end_actor(a);
          begin_actor(a);
          for (int k = 0; k < kLocks; k++) {
            l[k].read_by[a] = 0;
            if (l[k].writer == a) l[k].writer = kDead;
          }
        }
    }
  }
}
