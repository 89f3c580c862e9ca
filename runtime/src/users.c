// Users, groups and limits of the process. Who runs the program, and on what machine, is unknown.
#define _GNU_SOURCE
#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/times.h>
#include <unistd.h>

#include "files.h"

static int outcome(int first, int second, int third) {
  return __whittle_nondet_bool() ? __whittle_fail(first, second, third) : 0;
}
#define CHANGES(name, ...) \
  int name(__VA_ARGS__) { return outcome(EPERM, EINVAL, EAGAIN); }
#define UNUSED __attribute__((unused))
CHANGES(setuid, UNUSED uid_t user)
CHANGES(seteuid, UNUSED uid_t user)
CHANGES(setgid, UNUSED gid_t group)
CHANGES(setegid, UNUSED gid_t group)
CHANGES(setreuid, UNUSED uid_t real, UNUSED uid_t effective)
CHANGES(setregid, UNUSED gid_t real, UNUSED gid_t effective)
CHANGES(setpgid, UNUSED pid_t process, UNUSED pid_t group)
CHANGES(setpriority, UNUSED __priority_which_t which, UNUSED id_t who, UNUSED int priority)
static pid_t any_id(void) {
  pid_t id = (pid_t)(__whittle_nondet_u32() & 0x7fffffff);
  __whittle_assume(id > 0);
  return id;
}
pid_t setsid(void) { return __whittle_nondet_bool() ? __whittle_fail(EPERM, EPERM, EPERM) : any_id(); }
pid_t getpgrp(void) { return any_id(); }
pid_t getpgid(pid_t process) {
  (void)process;
  return __whittle_nondet_bool() ? __whittle_fail(ESRCH, EPERM, ESRCH) : any_id();
}
pid_t getsid(pid_t process) { return getpgid(process); }

// Entries of the databases: one that the next call overwrites, with any short texts.
#define ROOM 256
static void any_text(char* to) {
  size_t n = 0;
  while (n < __whittle_text_length() && __whittle_nondet_bool()) to[n++] = (char)__whittle_nondet_u8();
  to[n] = 0;
}
static struct passwd* any_user(uid_t id, const char* name) {
  static struct passwd user;
  static char texts[4][ROOM];
  if (__whittle_nondet_bool()) {
    if (__whittle_nondet_bool()) __whittle_fail(EIO, EMFILE, EINTR);
    return 0;
  }
  for (int i = 0; i < 4; i++) any_text(texts[i]);
  if (name) {
    size_t n = 0;
    while (n + 1 < ROOM && name[n]) texts[0][n] = name[n], n++;
    if (name[n]) __whittle_unsupported("name of a user of 256 or more characters");
    texts[0][n] = 0;
  }
  user = (struct passwd){texts[0], "x", id, __whittle_nondet_u32(), texts[1], texts[2], texts[3]};
  return &user;
}
struct passwd* getpwuid(uid_t id) { return any_user(id, 0); }
struct passwd* getpwnam(const char* name) { return any_user(__whittle_nondet_u32(), name); }
static struct group* any_group(gid_t id, const char* name) {
  static struct group group;
  static char own[ROOM], member[ROOM];
  static char* members[2];
  if (__whittle_nondet_bool()) {
    if (__whittle_nondet_bool()) __whittle_fail(EIO, EMFILE, EINTR);
    return 0;
  }
  any_text(own);
  any_text(member);
  if (name) {
    size_t n = 0;
    while (n + 1 < ROOM && name[n]) own[n] = name[n], n++;
    if (name[n]) __whittle_unsupported("name of a group of 256 or more characters");
    own[n] = 0;
  }
  members[0] = __whittle_nondet_bool() ? member : 0;
  members[1] = 0;
  group = (struct group){own, "x", id, members};
  return &group;
}
struct group* getgrgid(gid_t id) { return any_group(id, 0); }
struct group* getgrnam(const char* name) { return any_group(__whittle_nondet_u32(), name); }

// Limits and use of resources.
int getrlimit(__rlimit_resource_t resource, struct rlimit* limit) {
  (void)resource;
  if (__whittle_nondet_bool()) return __whittle_fail(EINVAL, EINVAL, EINVAL);
  rlim_t soft = (rlim_t)__whittle_nondet_u64(), hard = (rlim_t)__whittle_nondet_u64();
  __whittle_assume(soft <= hard);
  limit->rlim_cur = soft;
  limit->rlim_max = hard;
  return 0;
}
int setrlimit(__rlimit_resource_t resource, const struct rlimit* limit) {
  (void)resource;
  volatile rlim_t seen = limit->rlim_cur + limit->rlim_max;
  (void)seen;
  return outcome(EPERM, EINVAL, EPERM);
}
static struct timeval any_time(void) {
  return (struct timeval){(time_t)(__whittle_nondet_u32() & 0x7fffffff), (suseconds_t)(__whittle_nondet_u32() % 1000000)};
}
int getrusage(__rusage_who_t who, struct rusage* usage) {
  (void)who;
  if (__whittle_nondet_bool()) return __whittle_fail(EINVAL, EINVAL, EINVAL);
  __builtin_memset(usage, 0, sizeof *usage);
  usage->ru_utime = any_time();
  usage->ru_stime = any_time();
  usage->ru_maxrss = (long)(__whittle_nondet_u32() & 0x7fffffff);
  usage->ru_minflt = (long)(__whittle_nondet_u32() & 0x7fffffff);
  usage->ru_majflt = (long)(__whittle_nondet_u32() & 0x7fffffff);
  usage->ru_inblock = (long)(__whittle_nondet_u32() & 0x7fffffff);
  usage->ru_oublock = (long)(__whittle_nondet_u32() & 0x7fffffff);
  usage->ru_nvcsw = (long)(__whittle_nondet_u32() & 0x7fffffff);
  usage->ru_nivcsw = (long)(__whittle_nondet_u32() & 0x7fffffff);
  return 0;
}
int get_nprocs(void) {
  int n = 1 + (int)(__whittle_nondet_u16() & 0x3fff);
  return n;
}
int get_nprocs_conf(void) { return get_nprocs(); }

// Random bytes.
static void fill(void* to, size_t size) {
  for (size_t i = 0; i < size; i++) ((uint8_t*)to)[i] = __whittle_nondet_u8();
}
ssize_t getrandom(void* to, size_t size, unsigned flags) {
  (void)flags;
  if (__whittle_nondet_bool()) return __whittle_fail(EAGAIN, EINTR, ENOSYS);
  size_t n = (size_t)__whittle_nondet_u32();
  __whittle_assume(n <= size && (n == size || size > 256));
  fill(to, n);
  return (ssize_t)n;
}
int getentropy(void* to, size_t size) {
  if (size > 256) {
    errno = EIO;
    return -1;
  }
  if (__whittle_nondet_bool()) return __whittle_fail(ENOSYS, EIO, ENOSYS);
  fill(to, size);
  return 0;
}
uint32_t arc4random(void) { return __whittle_nondet_u32(); }
void arc4random_buf(void* to, size_t size) { fill(to, size); }
uint32_t arc4random_uniform(uint32_t limit) {
  if (limit < 2) return 0;
  uint32_t value = __whittle_nondet_u32();
  __whittle_assume(value < limit);
  return value;
}
