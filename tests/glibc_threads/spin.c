// Spin locks.
#include "actors.h"

enum { kLocks = 3 };
static pthread_spinlock_t lock[kLocks];
static int owner[kLocks];

static int do_lock(int actor, int i) { return (void)actor, pthread_spin_lock(&lock[i]); }
static int do_try(int actor, int i) { return (void)actor, pthread_spin_trylock(&lock[i]); }
static int do_unlock(int actor, int i) { return (void)actor, pthread_spin_unlock(&lock[i]); }

static void round_of_calls(void) {
  for (int i = 0; i < kLocks; i++) {
    note("init", i, pthread_spin_init(&lock[i], (int)any(2)));
    owner[i] = kNone;
  }
  for (int n = 0; n < CALLS; n++) {
    int a = (int)any(kActors), i = (int)any(kLocks), error;
    switch (any(6)) {
      case 0:
      case 1:
        if (owner[i] != kNone) break;
        note("lock", a, call(a, do_lock, i));
        owner[i] = a;
        break;
      case 2:
        note("try", a, error = call(a, do_try, i));
        if (!error) owner[i] = a;
        break;
      case 3:
      case 4:
        if (owner[i] != a) break;
        note("unlock", a, call(a, do_unlock, i));
        owner[i] = kNone;
        break;
      default:
        if (owner[i] == kNone) {
          note("destroy", i, pthread_spin_destroy(&lock[i]));
          note("init", i, pthread_spin_init(&lock[i], 0));
        } else if (a != 0 && !any(3)) {
          end_actor(a);
          begin_actor(a);
          for (int k = 0; k < kLocks; k++)
            if (owner[k] == a) owner[k] = kDead;
        }
    }
  }
}
