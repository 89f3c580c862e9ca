// See schedule.h. Compile it without -fsanitize=thread, also when the program is compiled with it: threads hand over by
// system calls that the sanitizer does not know, so the schedule hides no race. Locks and semaphores are glibc's own, called
// when they cannot block; what the sanitizer cannot see that way (barriers, pthread_once) is told to it.
#define WHITTLE_SCHEDULE_IMPLEMENTATION
#include "schedule.h"

#include "replay.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <linux/futex.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { kMaxThreads = 256, kMaxObjects = 4096, kNobody = -1 };

typedef int condition(int thread, void* object);

static struct thread {
  int alive;
  int turn;              // futex: it may run
  condition* waits_for;  // null: it can go on
  void* object;
  pthread_t handle;
  int joinable;
  void* signalled_by;  // the condition variable or barrier it waits at
  char *stack, *stack_end;
} threads[kMaxThreads] = {{.alive = 1, .turn = 1}};
static int thread_count = 1, alive_count = 1, last;
static __thread int me;
static char *load_address, *static_begin, *static_end;  // this program in memory

// What is known about a lock, barrier or once control beside what glibc keeps. Slots are found by address and never freed.
static struct object {
  void* address;
  int owner, count;  // mutex, spin lock, writer of an rwlock
  int readers;
  unsigned parties, arrived;  // barrier
  int once;                   // 0 new, 1 done, 2 running
} objects[kMaxObjects];

void __tsan_acquire(void* address) __attribute__((weak));
void __tsan_release(void* address) __attribute__((weak));

static void fail(const char* why, int status) {
  fflush(stdout);
  dprintf(2, "%s\n", why);
  _exit(status);
}

static struct object* object_at(void* address) {
  for (int i = 0; i < kMaxObjects; i++) {
    if (objects[i].address == address) return &objects[i];
    if (objects[i].address) continue;
    objects[i] = (struct object){.address = address, .owner = kNobody};
    return &objects[i];
  }
  fail("schedule.c: too many locks", 87);
  return 0;
}

// The schedule

static const char* schedule;
static long repeat, entry;

// The next entry, or -1.
static long next_entry(void) {
  if (!schedule && !(schedule = getenv("WHITTLE_SCHEDULE"))) schedule = "";
  if (repeat > 0) return repeat--, entry;
  while (*schedule == ',' || *schedule == ' ' || *schedule == '\n') schedule++;
  if (!*schedule) return -1;
  char* end;
  entry = strtol(schedule, &end, 10);
  repeat = *end == ':' ? strtol(end + 1, &end, 10) : 1;
  if (end == schedule || entry < 0) fail("schedule.c: WHITTLE_SCHEDULE has something else than numbers", 87);
  schedule = end;
  return next_entry();
}

// A script instead of a schedule: replay.h. Without it these are null.

extern const struct whittle_turn whittle_turns[] __attribute__((weak));
extern const int whittle_turn_count __attribute__((weak));

enum { kMaxMoments = 4096 };
// Something that a turn ends with, how often it has happened, and where it is in memory.
static struct moment {
  int thread;
  char how;
  const char* name;
  char* address;  // of a static object; null: not one, or not found
  unsigned long seen;
} moments[kMaxMoments];
static int moment_count, turn;

static int scripted(void) { return &whittle_turn_count && whittle_turn_count > 0; }
int whittle_self(void) { return me; }

static char* symbol_address(const char* name, size_t length);

static void read_script(void) {
  for (int i = 0; i < whittle_turn_count; i++) {
    const struct whittle_turn* t = &whittle_turns[i];
    if (t->count == 0) continue;
    int k = 0;
    while (k < moment_count && !(moments[k].thread == t->thread && moments[k].how == t->until[0] &&
                                 strcmp(moments[k].name, t->until + 2) == 0))
      k++;
    if (k < moment_count) continue;
    if (moment_count == kMaxMoments) fail("schedule.c: the script has too many moments", 87);
    struct moment* m = &moments[moment_count++];
    *m = (struct moment){t->thread, t->until[0], t->until + 2, 0, 0};
    const char* plus = strrchr(m->name, '+');
    if ((m->how != 'r' && m->how != 'w') || !plus) continue;
    m->address = symbol_address(m->name, (size_t)(plus - m->name));
    if (m->address) m->address += strtoul(plus, 0, 10);
  }
}

static int can_run(long thread) {
  if (thread >= thread_count || !threads[thread].alive) return 0;
  struct thread* t = &threads[thread];
  return !t->waits_for || t->waits_for((int)thread, t->object);
}

static int scripted_choice(void) {
  if (turn < whittle_turn_count && whittle_turns[turn].thread == me) turn++;
  for (int i = turn; i < whittle_turn_count; i++) {
    if (!can_run(whittle_turns[i].thread)) continue;
    turn = i;
    return whittle_turns[i].thread;
  }
  return -1;
}

static int choose(void) {
  if (scripted()) {
    int thread = scripted_choice();
    if (thread >= 0) return thread;
  }
  for (long wanted; alive_count > 1 && (wanted = next_entry()) >= 0;)
    if (can_run(wanted)) return (int)wanted;
  for (int i = 0; i < thread_count; i++)
    if (can_run((last + i) % thread_count)) return (last + i) % thread_count;
  fail("deadlock", WHITTLE_DEADLOCK);
  return 0;
}

static void give_turn(int thread) {
  last = thread;
  __atomic_store_n(&threads[thread].turn, 1, __ATOMIC_SEQ_CST);
  syscall(SYS_futex, &threads[thread].turn, FUTEX_WAKE, INT_MAX, 0, 0, 0);
}

// A thread whose turn ends in "rest" does not tell when that is. When nothing has happened for a while, the next one takes
// its turn.
enum { kPatience = 10 };
static const struct timespec kMoment = {0, 10000000};
static unsigned long activity;
static int resting(int thread) {
  return scripted() && turn + 1 < whittle_turn_count && whittle_turns[turn].thread == thread &&
         strcmp(whittle_turns[turn].until, "rest") == 0;
}
int whittle_rests(void) { return resting(me); }

static void await_turn(void) {
  unsigned long seen = 0;
  for (int idle = 0; !__atomic_load_n(&threads[me].turn, __ATOMIC_SEQ_CST);) {
    syscall(SYS_futex, &threads[me].turn, FUTEX_WAIT, 0, &kMoment, 0, 0);
    if (!scripted() || !resting(whittle_turns[turn].thread) || whittle_turns[turn + 1].thread != me) continue;
    unsigned long now = __atomic_load_n(&activity, __ATOMIC_SEQ_CST);
    idle = now == seen ? idle + 1 : 0;
    seen = now;
    if (idle < kPatience) continue;
    threads[whittle_turns[turn++].thread].turn = 0;
    give_turn(me);
  }
}
// It may have been taken from this thread.
static void keep_turn(void) {
  __atomic_add_fetch(&activity, 1, __ATOMIC_SEQ_CST);
  if (!__atomic_load_n(&threads[me].turn, __ATOMIC_SEQ_CST)) await_turn();
}

// Another thread may go on; this one does when it is its turn and `until` holds (null: always).
static void hand_over(condition* until, void* object) {
  struct thread* t = &threads[me];
  if (scripted()) {
    while (until && !until(me, object)) {
      t->waits_for = until;
      t->object = object;
      int next = choose();
      if (next == me) break;
      t->turn = 0;
      give_turn(next);
      await_turn();
    }
    t->waits_for = 0;
    return;
  }
  if (alive_count == 1 && (!until || until(me, object))) return;
  t->waits_for = until;
  t->object = object;
  int next = choose();
  if (next == me) {
    last = me;
  } else {
    t->turn = 0;
    give_turn(next);
    await_turn();
  }
  t->waits_for = 0;
}
void whittle_point(void) { hand_over(0, 0); }
// In the middle of a call: not a point if it need not wait.
static void wait_until(condition* until, void* object) {
  if (!until(me, object)) hand_over(until, object);
}

// Where this thread is in its script

static void next_turn(void) {
  int next = whittle_turns[++turn].thread;
  if (!can_run(next)) next = scripted_choice();
  if (next == me || next < 0) return;
  threads[me].turn = 0;
  give_turn(next);
  await_turn();
}

static void happens(struct moment* m) {
  m->seen++;
  const struct whittle_turn* t = &whittle_turns[turn];
  if (turn + 1 >= whittle_turn_count || t->thread != me || t->count != m->seen || t->until[0] != m->how ||
      strcmp(t->until + 2, m->name) != 0)
    return;
  next_turn();
}
void whittle_moment(char how, const char* name) {
  if (!scripted()) return;
  keep_turn();
  if (resting(me)) next_turn();
  for (int i = 0; i < moment_count; i++)
    if (moments[i].thread == me && moments[i].how == how && strcmp(moments[i].name, name) == 0) return happens(&moments[i]);
}

static int on_stack(struct thread* t, char* p) { return p >= t->stack && p < t->stack_end; }

// What the script takes apart, but this program does in one step.
static const struct moment* joined;

void whittle_access(void* address, int is_write, unsigned size) {
  char* p = address;
  char how = is_write ? 'w' : 'r';
  if (!scripted()) return;
  keep_turn();
  if (resting(me) && !on_stack(&threads[me], p)) next_turn();
  for (int i = 0; i < moment_count; i++) {
    struct moment* m = &moments[i];
    if (m->thread != me || m->how != how) continue;
    if (m->address) {
      if (m->address > p && m->address < p + size) joined = m;
      if (m->address != p) continue;
    } else if (strcmp(m->name, "heap") == 0) {
      if (p >= static_begin && p < static_end) continue;
      int anywhere = 0;
      for (int k = 0; k < thread_count; k++) anywhere |= on_stack(&threads[k], p);
      if (anywhere) continue;
    } else if (strcmp(m->name, "stack") == 0) {
      int another = 0;
      for (int k = 0; k < thread_count; k++) another |= k != me && on_stack(&threads[k], p);
      if (!another) continue;
    } else {
      continue;
    }
    return happens(m);
  }
}

static void learn_stack(void) {
  pthread_attr_t attributes;
  void* begin = 0;
  size_t size = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
  pthread_attr_getstack(&attributes, &begin, &size);
  pthread_attr_destroy(&attributes);
  threads[me].stack = begin;
  threads[me].stack_end = (char*)begin + size;
}

// Threads

struct start {
  int number;
  void* (*routine)(void*);
  int (*c11)(void*);
  void* argument;
};

static void end_thread(void) {
  whittle_point();
  threads[me].alive = 0;
  if (--alive_count == 0) return;  // exit() follows
  give_turn(choose());
}
static void* run(void* p) {
  struct start start = *(struct start*)p;
  free(p);
  me = start.number;
  learn_stack();
  await_turn();
  void* result = start.c11 ? (void*)(long)start.c11(start.argument) : start.routine(start.argument);
  end_thread();
  return result;
}
static int create(pthread_t* thread, const pthread_attr_t* attr, struct start start) {
  whittle_point();
  if (thread_count == kMaxThreads) fail("schedule.c: too many threads", 87);
  struct start* p = malloc(sizeof *p);
  *p = start;
  p->number = thread_count++;
  int detached = PTHREAD_CREATE_JOINABLE;
  if (attr) pthread_attr_getdetachstate(attr, &detached);
  alive_count++;
  struct thread* t = &threads[p->number];
  t->alive = 1;
  t->joinable = detached == PTHREAD_CREATE_JOINABLE;
  int error = pthread_create(&t->handle, attr, run, p);
  if (error) fail("schedule.c: pthread_create fails", 87);
  *thread = t->handle;
  return 0;
}
int whittle_pthread_create(pthread_t* thread, const pthread_attr_t* attr, void* (*routine)(void*), void* argument) {
  return create(thread, attr, (struct start){0, routine, 0, argument});
}
static int has_ended(int thread, void* object) {
  (void)thread;
  return !((struct thread*)object)->alive;
}
int whittle_pthread_join(pthread_t thread, void** result) {
  for (int i = 1; i < thread_count; i++) {
    if (!threads[i].joinable || !pthread_equal(threads[i].handle, thread)) continue;
    hand_over(has_ended, &threads[i]);
    threads[i].joinable = 0;
    break;
  }
  return pthread_join(thread, result);
}
void whittle_pthread_exit(void* result) {
  end_thread();
  pthread_exit(result);
}
void whittle_exit(int status) {
  whittle_point();
  exit(status);
}
int whittle_sched_yield(void) {
  whittle_point();
  return 0;
}

// Locks. A call of glibc's function is made only when it will not block.

static int is_free(int thread, void* lock) {
  (void)thread;
  struct object* o = object_at(lock);
  return o->owner == kNobody && o->readers == 0;
}
static int free_or_own(int thread, void* lock) { return is_free(thread, lock) || object_at(lock)->owner == thread; }
static int no_writer(int thread, void* lock) { return (void)thread, object_at(lock)->owner == kNobody; }

static int took(void* lock, int error) {
  if (error) return error;
  object_at(lock)->owner = me;
  object_at(lock)->count++;
  return 0;
}
static int dropped(void* lock, int error) {
  struct object* o = object_at(lock);
  if (!error && o->count > 0 && --o->count == 0) o->owner = kNobody;
  return error;
}
static int kind_of(pthread_mutex_t* m) { return m->__data.__kind & 3; }
static int relocks(pthread_mutex_t* m) {
  return kind_of(m) == PTHREAD_MUTEX_RECURSIVE_NP || kind_of(m) == PTHREAD_MUTEX_ERRORCHECK_NP;
}
static int lock_now(pthread_mutex_t* m) {
  if (object_at(m)->owner == me && !relocks(m)) wait_until(is_free, m);
  return took(m, pthread_mutex_lock(m));
}
int whittle_pthread_mutex_lock(pthread_mutex_t* m) {
  hand_over(free_or_own, m);
  return lock_now(m);
}
int whittle_pthread_mutex_trylock(pthread_mutex_t* m) {
  whittle_point();
  return took(m, pthread_mutex_trylock(m));
}
int whittle_pthread_mutex_timedlock(pthread_mutex_t* m, const struct timespec* until) {
  (void)until;
  whittle_point();
  if (object_at(m)->owner == me && kind_of(m) == PTHREAD_MUTEX_ERRORCHECK_NP) return EDEADLK;
  int error = took(m, pthread_mutex_trylock(m));
  return error == EBUSY ? ETIMEDOUT : error;
}
int whittle_pthread_mutex_unlock(pthread_mutex_t* m) {
  whittle_point();
  return dropped(m, pthread_mutex_unlock(m));
}

static int took_reading(pthread_rwlock_t* lock, int error) {
  if (!error) object_at(lock)->readers++;
  return error;
}
int whittle_pthread_rwlock_rdlock(pthread_rwlock_t* lock) {
  hand_over(no_writer, lock);
  return took_reading(lock, pthread_rwlock_tryrdlock(lock));
}
int whittle_pthread_rwlock_wrlock(pthread_rwlock_t* lock) {
  hand_over(is_free, lock);
  return took(lock, pthread_rwlock_trywrlock(lock));
}
int whittle_pthread_rwlock_tryrdlock(pthread_rwlock_t* lock) {
  whittle_point();
  return took_reading(lock, pthread_rwlock_tryrdlock(lock));
}
int whittle_pthread_rwlock_trywrlock(pthread_rwlock_t* lock) {
  whittle_point();
  return took(lock, pthread_rwlock_trywrlock(lock));
}
int whittle_pthread_rwlock_unlock(pthread_rwlock_t* lock) {
  whittle_point();
  struct object* o = object_at(lock);
  if (o->readers > 0) return o->readers--, pthread_rwlock_unlock(lock);
  return dropped(lock, pthread_rwlock_unlock(lock));
}

int whittle_pthread_spin_lock(pthread_spinlock_t* lock) {
  hand_over(is_free, (void*)lock);
  return took((void*)lock, pthread_spin_lock(lock));
}
int whittle_pthread_spin_trylock(pthread_spinlock_t* lock) {
  whittle_point();
  return took((void*)lock, pthread_spin_trylock(lock));
}
int whittle_pthread_spin_unlock(pthread_spinlock_t* lock) {
  whittle_point();
  return dropped((void*)lock, pthread_spin_unlock(lock));
}

// Condition variables and barriers: a waiting thread names what it waits at.

static int is_woken(int thread, void* object) { return (void)object, !threads[thread].signalled_by; }

int whittle_pthread_cond_wait(pthread_cond_t* c, pthread_mutex_t* m) {
  whittle_point();
  int error = dropped(m, pthread_mutex_unlock(m));
  if (error) return error;
  threads[me].signalled_by = c;
  wait_until(is_woken, 0);
  wait_until(free_or_own, m);
  return lock_now(m);
}
int whittle_pthread_cond_timedwait(pthread_cond_t* c, pthread_mutex_t* m, const struct timespec* until) {
  (void)c, (void)until;
  whittle_point();
  int error = dropped(m, pthread_mutex_unlock(m));
  return error ? error : (error = lock_now(m)) ? error : ETIMEDOUT;
}
static void wake(void* object, int how_many) {
  for (int i = 0; i < thread_count && how_many > 0; i++)
    if (threads[i].alive && threads[i].signalled_by == object) threads[i].signalled_by = 0, how_many--;
}
int whittle_pthread_cond_signal(pthread_cond_t* c) {
  whittle_point();
  wake(c, 1);
  return 0;
}
int whittle_pthread_cond_broadcast(pthread_cond_t* c) {
  whittle_point();
  wake(c, kMaxThreads);
  return 0;
}

int whittle_pthread_barrier_init(pthread_barrier_t* b, const pthread_barrierattr_t* attr, unsigned count) {
  object_at(b)->parties = count;
  return pthread_barrier_init(b, attr, count);
}
int whittle_pthread_barrier_wait(pthread_barrier_t* b) {
  whittle_point();
  struct object* o = object_at(b);
  if (__tsan_release) __tsan_release(b);
  int is_last = ++o->arrived >= o->parties;
  if (is_last) {
    o->arrived = 0;
    wake(b, kMaxThreads);
  } else {
    threads[me].signalled_by = b;
    wait_until(is_woken, 0);
  }
  if (__tsan_acquire) __tsan_acquire(b);
  return is_last ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}

static int not_running(int thread, void* control) { return (void)thread, object_at(control)->once != 2; }
int whittle_pthread_once(pthread_once_t* control, void (*routine)(void)) {
  hand_over(not_running, control);
  struct object* o = object_at(control);
  if (o->once == 0) {
    o->once = 2;
    routine();
    whittle_point();
    if (__tsan_release) __tsan_release(control);
    o->once = 1;
  }
  if (__tsan_acquire) __tsan_acquire(control);
  return 0;
}

// Semaphores

static int is_up(int thread, void* semaphore) {
  int value = 0;
  (void)thread;
  sem_getvalue(semaphore, &value);
  return value > 0;
}
int whittle_sem_wait(sem_t* s) {
  hand_over(is_up, s);
  return sem_trywait(s);
}
int whittle_sem_trywait(sem_t* s) {
  whittle_point();
  return sem_trywait(s);
}
int whittle_sem_timedwait(sem_t* s, const struct timespec* until) {
  (void)until;
  whittle_point();
  int result = sem_trywait(s);
  if (result == -1 && errno == EAGAIN) errno = ETIMEDOUT;
  return result;
}
int whittle_sem_post(sem_t* s) {
  whittle_point();
  return sem_post(s);
}

// C11 threads: glibc's types are those of pthreads.

static int status(int error) {
  return error == 0 ? thrd_success : error == EBUSY ? thrd_busy : error == ETIMEDOUT ? thrd_timedout : thrd_error;
}
int whittle_thrd_create(thrd_t* thread, thrd_start_t routine, void* argument) {
  return status(create(thread, 0, (struct start){0, 0, routine, argument}));
}
int whittle_thrd_join(thrd_t thread, int* result) {
  void* value = 0;
  int error = whittle_pthread_join(thread, &value);
  if (!error && result) *result = (int)(long)value;
  return status(error);
}
void whittle_thrd_exit(int result) { whittle_pthread_exit((void*)(long)result); }
void whittle_thrd_yield(void) { whittle_point(); }
int whittle_mtx_lock(mtx_t* m) { return status(whittle_pthread_mutex_lock((pthread_mutex_t*)m)); }
int whittle_mtx_trylock(mtx_t* m) { return status(whittle_pthread_mutex_trylock((pthread_mutex_t*)m)); }
int whittle_mtx_unlock(mtx_t* m) { return status(whittle_pthread_mutex_unlock((pthread_mutex_t*)m)); }
int whittle_cnd_wait(cnd_t* c, mtx_t* m) {
  return status(whittle_pthread_cond_wait((pthread_cond_t*)c, (pthread_mutex_t*)m));
}
int whittle_cnd_signal(cnd_t* c) { return status(whittle_pthread_cond_signal((pthread_cond_t*)c)); }
int whittle_cnd_broadcast(cnd_t* c) { return status(whittle_pthread_cond_broadcast((pthread_cond_t*)c)); }
void whittle_call_once(once_flag* flag, void (*routine)(void)) {
  whittle_pthread_once((pthread_once_t*)flag, routine);
}

// Static objects by name: this program's own table of symbols

static const ElfW(Sym)* symbols;
static size_t symbol_count;
static const char* symbol_names;

static int is_text(const char* text, const char* begin, size_t length) { return strncmp(text, begin, length) == 0 && !text[length]; }

// An object of the program, in the file `wanted` (empty: in any).
static char* symbol_in(const char* wanted, size_t wanted_length, const char* name, size_t length) {
  const char* file = "";
  for (size_t i = 0; i < symbol_count; i++) {
    const char* it = symbol_names + symbols[i].st_name;
    int kind = symbols[i].st_info & 15, local = symbols[i].st_info >> 4 == STB_LOCAL;
    if (kind == STT_FILE) file = it;
    if (kind != STT_OBJECT || !is_text(it, name, length)) continue;
    int own = strcmp(file, "schedule.c") == 0 || strcmp(file, "replay.c") == 0;
    if (local && (wanted_length ? !is_text(file, wanted, wanted_length) : own)) continue;
    return load_address + symbols[i].st_value;
  }
  return 0;
}
// `name`: FILE:NAME. Preprocessed files have another name than their lines; static objects of the same name in several files
// have a number after it, which is whittle's own.
static char* symbol_address(const char* name, size_t length) {
  const char* colon = memchr(name, ':', length);
  const char* begin = colon ? colon + 1 : name;
  size_t file = colon ? (size_t)(colon - name) : 0, size = length - (size_t)(begin - name), plain = size;
  while (plain > 0 && begin[plain - 1] >= '0' && begin[plain - 1] <= '9') plain--;
  plain = plain > 1 && begin[plain - 1] == '.' ? plain - 1 : size;
  char* found = symbol_in(name, file, begin, size);
  if (!found) found = symbol_in(name, file, begin, plain);
  if (!found) found = symbol_in(name, 0, begin, size);
  return found ? found : symbol_in(name, 0, begin, plain);
}

static int find_program(struct dl_phdr_info* info, size_t size, void* data) {
  (void)size, (void)data;
  load_address = (char*)info->dlpi_addr;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr)* part = &info->dlpi_phdr[i];
    if (part->p_type != PT_LOAD) continue;
    char* begin = load_address + part->p_vaddr;
    if (!static_begin || begin < static_begin) static_begin = begin;
    if (begin + part->p_memsz > static_end) static_end = begin + part->p_memsz;
  }
  return 1;  // the program comes first
}

static void read_symbols(void) {
  dl_iterate_phdr(find_program, 0);
  int file = open("/proc/self/exe", O_RDONLY);
  struct stat about;
  if (file < 0 || fstat(file, &about) != 0) return;
  char* image = mmap(0, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, file, 0);
  close(file);
  if (image == MAP_FAILED) return;
  const ElfW(Ehdr)* header = (const void*)image;
  const ElfW(Shdr)* sections = (const void*)(image + header->e_shoff);
  for (int i = 0; i < header->e_shnum; i++) {
    if (sections[i].sh_type != SHT_SYMTAB) continue;
    symbols = (const void*)(image + sections[i].sh_offset);
    symbol_count = sections[i].sh_size / sizeof *symbols;
    symbol_names = image + sections[sections[i].sh_link].sh_offset;
  }
}

static void begin(void) {
  setvbuf(stdout, 0, _IONBF, 0);  // nothing is lost when the program aborts
  threads[0].handle = pthread_self();
  if (!scripted()) return;
  learn_stack();
  read_symbols();
  read_script();
}

#ifdef WHITTLE_REPLAY
// For whoever started this program: why it may not have failed.
__attribute__((destructor)) static void explain(void) {
  const char* file = getenv("WHITTLE_NOTE");
  if (!file || !scripted() || turn + 1 >= whittle_turn_count) return;
  int note = open(file, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  const struct whittle_turn* t = &whittle_turns[turn];
  if (joined)
    dprintf(note, "the run stops in the middle of an access to `%s`, which is one step here", joined->name);
  else
    dprintf(note, "it went another way: thread %d did not get to `%s` for the %luth time", t->thread, t->until, t->count);
  close(note);
}
__attribute__((constructor)) static void begin_replay(void) { begin(); }
#else
// The program's own main is called whittle_main.
int whittle_main(int argc, char** argv);
int main(int argc, char** argv) {
  begin();
  int result = whittle_main(argc, argv);
  whittle_point();
  exit(result);
}
#endif
