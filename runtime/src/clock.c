// Time passes as it likes, but never backwards. Sleeping lets others run and nothing else.
#define _GNU_SOURCE
#include <errno.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "threads.h"

// A clock is any moment from 1970 to 2242, so that moments in nanoseconds are 64-bit numbers.
#define LAST_SECOND (sizeof(time_t) == 8 ? INT64_C(0x1ffffffff) : INT64_C(0x7fffffff))
struct moment {
  int64_t seconds;
  int32_t nanoseconds;
};
static struct moment clocks[CLOCK_TAI + 1];
static _Thread_local struct moment of_thread;

// The next moment of a clock, to the whole second, to `unit` nanoseconds with 2^bits units or a little less in a second.
static struct moment later(struct moment* clock, int bits, int32_t unit) {
  int64_t step = (int64_t)(__whittle_nondet_u64() & (uint64_t)LAST_SECOND);
  int32_t part = bits ? (int32_t)(__whittle_nondet_u32() & ((UINT32_C(1) << bits) - 1)) : 0;
  if (part >= 1000000000 / unit) part -= 1000000000 / unit;
  part *= unit;
  __whittle_atomic_begin();
  if (step > LAST_SECOND - clock->seconds) step = LAST_SECOND - clock->seconds;
  clock->seconds += step;
  if (step > 0 || part > clock->nanoseconds) clock->nanoseconds = part;
  struct moment result = *clock;
  __whittle_atomic_end();
  return result;
}

time_t time(time_t* result) {
  time_t seconds = (time_t)later(&clocks[CLOCK_REALTIME], 0, 1).seconds;
  if (result) *result = seconds;
  return seconds;
}
clock_t clock(void) {
  struct moment used = later(&clocks[CLOCK_PROCESS_CPUTIME_ID], 20, 1000);
  return (clock_t)(used.seconds * CLOCKS_PER_SEC + used.nanoseconds / 1000);
}
int gettimeofday(struct timeval* result, void* zone) {
  struct moment now = later(&clocks[CLOCK_REALTIME], 20, 1000);
  (void)zone;
  result->tv_sec = (time_t)now.seconds;
  result->tv_usec = (suseconds_t)(now.nanoseconds / 1000);
  return 0;
}
static struct moment* clock_of(clockid_t id) {
  if (id == CLOCK_THREAD_CPUTIME_ID) return &of_thread;
  if (id >= 0 && id <= CLOCK_TAI) return &clocks[id];
  if (id < 0) __whittle_unsupported("clock of a process, a thread or a device");
  errno = EINVAL;
  return 0;
}
int clock_gettime(clockid_t id, struct timespec* result) {
  struct moment* clock = clock_of(id);
  if (!clock) return -1;
  struct moment now = later(clock, 30, 1);
  result->tv_sec = (time_t)now.seconds;
  result->tv_nsec = (long)now.nanoseconds;
  return 0;
}
int clock_getres(clockid_t id, struct timespec* result) {
  if (!clock_of(id)) return -1;
  if (result) *result = (struct timespec){0, 1 + (long)(__whittle_nondet_u32() % 999999999)};
  return 0;
}
int timespec_get(struct timespec* result, int base) {
  if (base != TIME_UTC) return 0;
  clock_gettime(CLOCK_REALTIME, result);
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
// Durations are looked at; nothing ends a sleep before its time.
static int sleep_for(const struct timespec* duration) {
  CANCELLATION_POINT();
  if (!valid_time(duration) || duration->tv_sec < 0) return EINVAL;
  __whittle_yield();
  return 0;
}
int nanosleep(const struct timespec* duration, struct timespec* remaining) {
  (void)remaining;
  int error = sleep_for(duration);
  if (!error) return 0;
  errno = error;
  return -1;
}
int clock_nanosleep(clockid_t id, int flags, const struct timespec* duration, struct timespec* remaining) {
  (void)id, (void)flags, (void)remaining;
  return sleep_for(duration);
}
