// pthread_once and thread-specific data.
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <pthread.h>

#include "threads.h"

// 0 not run, 1 done, 2 running: one Await lets through the first two.
enum { kNew = 0, kDone = 1, kBusy = 2 };

int pthread_once(pthread_once_t* control, void (*routine)(void)) {
  __whittle_await32(control, -1, kNew, kDone);
  int first = *control == kNew;
  if (first) *control = kBusy;
  __whittle_atomic_end();
  if (!first) return 0;
  routine();
  __whittle_atomic_begin();
  *control = kDone;
  __whittle_atomic_end();
  return 0;
}

#define WHITTLE_MAX_KEYS 16

struct key {
  int used;
  void (*destructor)(void*);
};
static struct key keys[WHITTLE_MAX_KEYS];
static _Thread_local void* values[WHITTLE_MAX_KEYS];

static void run_destructors(void) {
  for (int round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS; round++) {
    int again = 0;
    for (int i = 0; i < WHITTLE_MAX_KEYS; i++) {
      void* value = values[i];
      if (!value) continue;
      __whittle_atomic_begin();
      void (*destructor)(void*) = keys[i].used ? keys[i].destructor : 0;
      __whittle_atomic_end();
      if (!destructor) continue;
      values[i] = 0;
      destructor(value);
      again = 1;
    }
    if (!again) return;
  }
}

int pthread_key_create(pthread_key_t* key, void (*destructor)(void*)) {
  __whittle_atomic_begin();
  unsigned i = 0;
  while (i < WHITTLE_MAX_KEYS && keys[i].used) i++;
  if (i == WHITTLE_MAX_KEYS) __whittle_unsupported("more than 16 keys of thread-specific data");
  keys[i].used = 1;
  keys[i].destructor = destructor;
  if (destructor) __whittle_at_thread_end = run_destructors;
  __whittle_atomic_end();
  *key = i;
  return 0;
}

// The slot is not used again: a key made anew must read as null in every thread, and threads keep their old values.
int pthread_key_delete(pthread_key_t key) {
  if (key >= WHITTLE_MAX_KEYS) return EINVAL;
  __whittle_atomic_begin();
  int known = keys[key].used == 1;
  if (known) {
    keys[key].used = 2;
    keys[key].destructor = 0;
  }
  __whittle_atomic_end();
  return known ? 0 : EINVAL;
}
void* pthread_getspecific(pthread_key_t key) { return key < WHITTLE_MAX_KEYS ? values[key] : 0; }
int pthread_setspecific(pthread_key_t key, const void* value) {
  if (key >= WHITTLE_MAX_KEYS) return EINVAL;
  values[key] = (void*)value;
  return 0;
}
