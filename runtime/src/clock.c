// Time passes as it likes, but never backwards. Sleeping lets others run and nothing else.
#define _GNU_SOURCE
#include <errno.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "threads.h"

static int64_t now;  // microseconds

static int64_t later(void) {
  int64_t step = (int64_t)__whittle_nondet_u32();
  __whittle_atomic_begin();
  now += step;
  int64_t result = now;
  __whittle_atomic_end();
  return result;
}

time_t time(time_t* result) {
  time_t seconds = (time_t)(later() / 1000000);
  if (result) *result = seconds;
  return seconds;
}
clock_t clock(void) { return (clock_t)later(); }
int gettimeofday(struct timeval* result, void* zone) {
  int64_t t = later();
  (void)zone;
  result->tv_sec = (time_t)(t / 1000000);
  result->tv_usec = (suseconds_t)(t % 1000000);
  return 0;
}
int clock_gettime(clockid_t id, struct timespec* result) {
  int64_t t = later();
  (void)id;
  result->tv_sec = (time_t)(t / 1000000);
  result->tv_nsec = (long)(t % 1000000) * 1000;
  return 0;
}
int timespec_get(struct timespec* result, int base) {
  clock_gettime(0, result);
  return base;
}
double difftime(time_t a, time_t b) { return (double)a - (double)b; }

unsigned sleep(unsigned seconds) {
  CANCELLATION_POINT();
  (void)seconds;
  __whittle_yield();
  return 0;
}
int usleep(useconds_t microseconds) {
  CANCELLATION_POINT();
  (void)microseconds;
  __whittle_yield();
  return 0;
}
int nanosleep(const struct timespec* duration, struct timespec* remaining) {
  CANCELLATION_POINT();
  (void)duration, (void)remaining;
  __whittle_yield();
  return 0;
}
int clock_nanosleep(clockid_t id, int flags, const struct timespec* duration, struct timespec* remaining) {
  CANCELLATION_POINT();
  (void)id, (void)flags, (void)duration, (void)remaining;
  __whittle_yield();
  return 0;
}
pid_t getpid(void) { return 4711; }
pid_t getppid(void) { return 4710; }
unsigned getuid_model(void) __asm__("getuid");
unsigned getuid_model(void) { return 1000; }
long sysconf(int name) {
  (void)name;
  return (long)(__whittle_nondet_u32() & 0xffff);
}
int getpagesize(void) { return 4096; }
