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
// Who runs the program: any user and group, the same until they are changed.
struct owner {
  uint32_t real, effective;
  _Bool known;
};
static struct owner user, group;
static struct owner known(struct owner* owner) {
  __whittle_atomic_begin();
  if (!owner->known) {
    owner->real = __whittle_nondet_u32();
    owner->effective = __whittle_nondet_u32();
    owner->known = 1;
  }
  struct owner result = *owner;
  __whittle_atomic_end();
  return result;
}
uid_t getuid(void) { return known(&user).real; }
uid_t geteuid(void) { return known(&user).effective; }
gid_t getgid(void) { return known(&group).real; }
gid_t getegid(void) { return known(&group).effective; }
// UINT32_MAX: stays as it is.
static int change(struct owner* owner, uint32_t real, uint32_t effective) {
  int result = outcome(EPERM, EINVAL, EAGAIN);
  if (result != 0) return result;
  known(owner);
  __whittle_atomic_begin();
  if (real != UINT32_MAX) owner->real = real;
  if (effective != UINT32_MAX) owner->effective = effective;
  __whittle_atomic_end();
  return 0;
}
// Those who may do everything change both, others the second one only.
static int change_to(struct owner* owner, uint32_t id) { return change(owner, __whittle_nondet_bool() ? id : UINT32_MAX, id); }
int setuid(uid_t id) { return change_to(&user, id); }
int setgid(gid_t id) { return change_to(&group, id); }
int seteuid(uid_t id) { return change(&user, UINT32_MAX, id); }
int setegid(gid_t id) { return change(&group, UINT32_MAX, id); }
int setreuid(uid_t real, uid_t effective) { return change(&user, real, effective); }
int setregid(gid_t real, gid_t effective) { return change(&group, real, effective); }
CHANGES(setpgid, UNUSED pid_t process, UNUSED pid_t group)
CHANGES(setpriority, UNUSED __priority_which_t which, UNUSED id_t who, UNUSED int priority)
static pid_t any_id(void) {
  pid_t id = (pid_t)(__whittle_nondet_u32() & 0x7fffffff);
  __whittle_assume(id > 0);
  return id;
}
// The process keeps its number; the one that started it may end before, then it is another.
static pid_t own;
void __whittle_new_process(void) {
  __whittle_atomic_begin();
  own = 0;
  __whittle_atomic_end();
}
pid_t __whittle_any_process(void) { return any_id(); }
pid_t getpid(void) {
  __whittle_atomic_begin();
  if (own == 0) own = any_id();
  pid_t result = own;
  __whittle_atomic_end();
  return result;
}
pid_t getppid(void) { return (pid_t)(__whittle_nondet_u32() & 0x7fffffff); }
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
  static struct passwd entry;
  static char texts[5][ROOM];
  if (__whittle_nondet_bool()) {
    if (__whittle_nondet_bool()) __whittle_fail(EIO, EMFILE, EINTR);
    return 0;
  }
  for (int i = 0; i < 5; i++) any_text(texts[i]);
  if (name) {
    size_t n = 0;
    while (n + 1 < ROOM && name[n]) texts[0][n] = name[n], n++;
    if (name[n]) __whittle_unsupported("name of a user of 256 or more characters");
    texts[0][n] = 0;
  }
  entry = (struct passwd){texts[0], texts[4], id, __whittle_nondet_u32(), texts[1], texts[2], texts[3]};
  return &entry;
}
struct passwd* getpwuid(uid_t id) { return any_user(id, 0); }
struct passwd* getpwnam(const char* name) { return any_user(__whittle_nondet_u32(), name); }
static struct group* any_group(gid_t id, const char* name) {
  static struct group entry;
  static char own[ROOM], password[ROOM], names[2][ROOM];
  static char* members[3];
  if (__whittle_nondet_bool()) {
    if (__whittle_nondet_bool()) __whittle_fail(EIO, EMFILE, EINTR);
    return 0;
  }
  any_text(own);
  any_text(password);
  if (name) {
    size_t n = 0;
    while (n + 1 < ROOM && name[n]) own[n] = name[n], n++;
    if (name[n]) __whittle_unsupported("name of a group of 256 or more characters");
    own[n] = 0;
  }
  int count = 0;
  for (; count < 2 && __whittle_nondet_bool(); count++) {
    any_text(names[count]);
    members[count] = names[count];
  }
  members[count] = 0;
  entry = (struct group){own, password, id, members};
  return &entry;
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
