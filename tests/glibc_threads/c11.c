// C11 threads: mutexes, conditions, call_once, thread-specific storage, results of threads.
#include "actors.h"

#include <stdint.h>
#include <threads.h>

enum { kMutexes = 3 };
static struct {
  mtx_t lock;
  int type, owner, count;
} m[kMutexes];
static cnd_t c;
static tss_t key;
static int destroyed, ran;

static int do_lock(int actor, int i) { return (void)actor, mtx_lock(&m[i].lock); }
static int do_try(int actor, int i) { return (void)actor, mtx_trylock(&m[i].lock); }
static int do_timed(int actor, int i) { return (void)actor, mtx_timedlock(&m[i].lock, &long_ago); }
static int do_unlock(int actor, int i) { return (void)actor, mtx_unlock(&m[i].lock); }
static int do_timed_wait(int actor, int i) { return (void)actor, cnd_timedwait(&c, &m[i].lock, &long_ago); }
static int do_set(int actor, int value) { return (void)actor, tss_set(key, (void*)(intptr_t)value); }
static int do_get(int actor, int unused) { return (void)actor, (void)unused, (int)(intptr_t)tss_get(key); }

static void destructor(void* value) { destroyed += (int)(intptr_t)value; }
static void routine(void) { ran++; }
static int returns(void* value) { return (int)(intptr_t)value; }
static int exits(void* value) {
  thrd_exit((int)(intptr_t)value);
  return 0;
}
static int same(void* other) { return thrd_equal(*(thrd_t*)other, thrd_current()) != 0; }

static void init(int i) {
  static const int types[] = {mtx_plain, mtx_timed, mtx_plain | mtx_recursive, mtx_timed | mtx_recursive};
  m[i].type = types[any(4)];
  m[i].owner = kNone;
  m[i].count = 0;
  note("init", i, mtx_init(&m[i].lock, m[i].type));
}

static void took(int i, int actor, int result) {
  if (result != thrd_success) return;
  m[i].owner = actor;
  m[i].count++;
}

static void start_one(void) {
  thrd_t t, me = thrd_current();
  int value = -1, how = (int)any(4);
  if (how == 3)
    note("create", how, thrd_create(&t, same, &me));
  else
    note("create", how, thrd_create(&t, how == 1 ? exits : returns, (void*)(intptr_t)any(1000)));
  note("join", 0, thrd_join(t, how == 2 ? 0 : &value));
  note("result", 0, value);
}

static void round_of_calls(void) {
  for (int i = 0; i < kMutexes; i++) init(i);
  once_flag flag = ONCE_FLAG_INIT;
  ran = 0;
  note("cnd", 0, cnd_init(&c));
  note("tss", 0, tss_create(&key, any(2) ? destructor : 0));
  for (int n = 0; n < CALLS; n++) {
    int a = (int)any(kActors), i = (int)any(kMutexes), result;
    int recursive = m[i].type & mtx_recursive, timed = m[i].type & mtx_timed;
    switch (any(12)) {
      case 0:
      case 1:
        if (m[i].owner != kNone && !(m[i].owner == a && recursive)) break;
        took(i, a, result = call(a, do_lock, i));
        note("lock", a, result);
        break;
      case 2:
        if (m[i].owner == a && !recursive) break;
        took(i, a, result = call(a, do_try, i));
        note("try", a, result);
        break;
      case 3:
        if (!timed || (m[i].owner == a && !recursive)) break;
        took(i, a, result = call(a, do_timed, i));
        note("timed", a, result);
        break;
      case 4:
      case 5:
        if (m[i].owner != a) break;
        note("unlock", a, call(a, do_unlock, i));
        if (--m[i].count == 0) m[i].owner = kNone;
        break;
      case 6:
        if (m[i].owner != a || m[i].count != 1) break;
        note("wait", a, call(a, do_timed_wait, i));
        note("signal", a, any(2) ? cnd_signal(&c) : cnd_broadcast(&c));
        break;
      case 7:
        call_once(&flag, routine);
        note("once", 0, ran);
        break;
      case 8: note("set", a, call(a, do_set, (int)any(50))); break;
      case 9: note("get", a, call(a, do_get, 0)); break;
      case 10: start_one(); break;
      default:
        if (a == 0 || any(3)) break;
        destroyed = 0;
        end_actor(a);
        begin_actor(a);
        note("destroyed", a, destroyed);
        for (int k = 0; k < kMutexes; k++)
          if (m[k].owner == a) m[k].owner = kDead;
    }
  }
  tss_delete(key);
  cnd_destroy(&c);
}
