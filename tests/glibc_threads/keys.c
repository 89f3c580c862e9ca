// Thread-specific data.
#include "actors.h"

#include <stdint.h>

enum { kKeys = 4 };
static struct {
  pthread_key_t key;
  int there;
} k[kKeys];
static int destroyed, again;

static void destructor(void* value) { destroyed += (int)(intptr_t)value; }
static void stubborn(void* value) {  // sets its value again, for a few rounds of destructors
  destroyed += (int)(intptr_t)value;
  if (again >= 0) pthread_setspecific(k[again].key, value);
}

static int number;
static int do_set(int actor, int i) { return (void)actor, pthread_setspecific(k[i].key, (void*)(intptr_t)number); }
static int do_get(int actor, int i) { return (void)actor, (int)(intptr_t)pthread_getspecific(k[i].key); }

static void round_of_calls(void) {
  again = kNone;
  for (int i = 0; i < kKeys; i++) k[i].there = 0;
  for (int n = 0; n < CALLS; n++) {
    int a = (int)any(kActors), i = (int)any(kKeys);
    switch (any(6)) {
      case 0:
        if (k[i].there) break;
        void (*end)(void*) = any(3) ? any(3) ? destructor : stubborn : 0;
        if (end == stubborn && again == kNone) again = i;
        if (end == stubborn && again != i) end = destructor;
        note("create", i, pthread_key_create(&k[i].key, end));
        k[i].there = 1;
        note("fresh", a, call(a, do_get, i));
        break;
      case 1:
      case 2:
        if (!k[i].there) break;
        number = (int)any(100);
        note("set", a, call(a, do_set, i));
        break;
      case 3:
        if (k[i].there) note("get", a, call(a, do_get, i));
        break;
      case 4:
        if (!k[i].there || any(2)) break;
        note("delete", i, pthread_key_delete(k[i].key));
        note("twice", i, pthread_key_delete(k[i].key));
        k[i].there = 0;
        if (again == i) again = kNone;
        break;
      default:
        if (a == 0 || any(2)) break;
        destroyed = 0;
        end_actor(a);
        begin_actor(a);
        note("destroyed", a, destroyed);
    }
  }
  for (int i = 0; i < kKeys; i++)
    if (k[i].there) note("delete", i, pthread_key_delete(k[i].key));
}
