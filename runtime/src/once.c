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
#define WHITTLE_KEY_BITS 4
#define WHITTLE_MAX_KEY_USES 65536

// A key made anew must read as null in every thread, and threads keep their old values. So a pthread_key_t is the place
// of the key and, above it, how often the place was used before; what a thread keeps says for which key it is.
static struct {
  int used;
  unsigned uses;
  void (*destructor)(void*);
} keys[WHITTLE_MAX_KEYS];
static _Thread_local struct {
  void* value;
  pthread_key_t key;
} values[WHITTLE_MAX_KEYS];

static unsigned place_of(pthread_key_t key) { return key % WHITTLE_MAX_KEYS; }
static int exists(pthread_key_t key) {  // in a region
  return keys[place_of(key)].used && keys[place_of(key)].uses == key >> WHITTLE_KEY_BITS;
}

static void run_destructors(void) {
  for (int round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS; round++) {
    int again = 0;
    for (int i = 0; i < WHITTLE_MAX_KEYS; i++) {
      void* value = values[i].value;
      if (!value) continue;
      __whittle_atomic_begin();
      void (*destructor)(void*) = exists(values[i].key) ? keys[i].destructor : 0;
      __whittle_atomic_end();
      values[i].value = 0;
      if (!destructor) continue;
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
  if (keys[i].uses == WHITTLE_MAX_KEY_USES) __whittle_unsupported("thousands of keys of thread-specific data");
  keys[i].used = 1;
  keys[i].destructor = destructor;
  if (destructor) __whittle_at_thread_end = run_destructors;
  pthread_key_t made = i | keys[i].uses << WHITTLE_KEY_BITS;
  __whittle_atomic_end();
  *key = made;
  return 0;
}

int pthread_key_delete(pthread_key_t key) {
  __whittle_atomic_begin();
  int known = exists(key);
  if (known) {
    keys[place_of(key)].used = 0;
    keys[place_of(key)].uses++;
    keys[place_of(key)].destructor = 0;
  }
  __whittle_atomic_end();
  return known ? 0 : EINVAL;
}

// Of a key that does not exist: undefined.
void* pthread_getspecific(pthread_key_t key) {
  return values[place_of(key)].key == key ? values[place_of(key)].value : 0;
}
int pthread_setspecific(pthread_key_t key, const void* value) {
  values[place_of(key)].value = (void*)value;
  values[place_of(key)].key = key;
  return 0;
}
