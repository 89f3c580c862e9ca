// Condition variables. Who of several waiters is woken is not said: only how many return, and with what.
#include "actors.h"

static pthread_mutex_t m;
static pthread_cond_t c;
static int wakes, waiting;
static sem_t here;

static int do_wait(int actor, int unused) {
  (void)actor, (void)unused;
  pthread_mutex_lock(&m);
  sem_post(&here);
  int error = 0;
  while (wakes == 0 && !error) error = pthread_cond_wait(&c, &m);
  if (!error) wakes--;
  pthread_mutex_unlock(&m);
  sem_post(&here);
  return error;
}
static int do_timed(int actor, int unused) {
  (void)actor, (void)unused;
  pthread_mutex_lock(&m);
  int error = pthread_cond_timedwait(&c, &m, &long_ago);
  return error ? error : pthread_mutex_unlock(&m);
}
static int do_unlock(int actor, int unused) { return (void)actor, (void)unused, pthread_mutex_unlock(&m); }
static int do_unheld(int actor, int unused) { return (void)actor, (void)unused, pthread_cond_wait(&c, &m); }

static void wake(int n) {  // with the mutex held, so that they all wait
  pthread_mutex_lock(&m);
  wakes = n;
  note("wake", n, n == waiting && n != 1 ? pthread_cond_broadcast(&c) : pthread_cond_signal(&c));
  for (int i = 1; i < n && n != waiting; i++) pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  for (int i = 0; i < n; i++) sem_wait(&here);
  waiting -= n;
}

static void round_of_calls(void) {
  pthread_mutexattr_t attr;
  pthread_condattr_t how;
  pthread_mutexattr_init(&attr);
  pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&m, &attr);
  pthread_condattr_init(&how);
  note("shared", 0, pthread_condattr_setpshared(&how, (int)any(3)));
  note("clock", 0, pthread_condattr_setclock(&how, any(2) ? CLOCK_MONOTONIC : CLOCK_REALTIME));
  note("badclock", 0, pthread_condattr_setclock(&how, CLOCK_PROCESS_CPUTIME_ID));
  note("init", 0, pthread_cond_init(&c, any(2) ? &how : 0));
  sem_init(&here, 0, 0);
  waiting = wakes = 0;
  for (int n = 0; n < CALLS / 3; n++) {
    int a = (int)any(kActors);
    switch (any(6)) {
      case 0:
      case 1:
        if (a == 0 || actors[a].busy) break;
        start(a, do_wait, 0);
        sem_wait(&here);
        waiting++;
        break;
      case 2:
        if (waiting > 0) wake(1 + (int)any((unsigned)waiting));
        break;
      case 3:
        if (waiting == 0) note(any(2) ? "signal" : "signals", a, pthread_cond_signal(&c));
        break;
      case 4:
        if (actors[a].busy) break;
        note("unheld", a, call(a, do_unheld, 0));
        break;
      default:
        if (actors[a].busy || waiting > 0) break;
        note("timed", a, call(a, do_timed, 0));
        note("unlock", a, call(a, do_unlock, 0));
    }
    if (waiting == 0)  // they have all returned
      for (int k = 1; k < kActors; k++)
        if (actors[k].busy) note("waited", 0, finish(k));
  }
  if (waiting > 0) wake(waiting);
  for (int k = 1; k < kActors; k++)
    if (actors[k].busy) note("waited", 0, finish(k));
  note("destroy", 0, pthread_cond_destroy(&c));
  note("mutex", 0, pthread_mutex_destroy(&m));
}
