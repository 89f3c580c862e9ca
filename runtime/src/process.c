// How a program ends, its environment, and small things of stdlib.h.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <stdlib.h>

#include "threads.h"

#undef errno
static _Thread_local int errno;  // traces have this name
int* __errno_location(void) { return &errno; }

#define WHITTLE_MAX_HANDLERS 32

// exit() is part of every program, the table of handlers only of those that call atexit().
void (*__whittle_at_exit)(void);
static void (*handlers[WHITTLE_MAX_HANDLERS])(void);
static int handler_count;

static void run_handlers(void) {
  __whittle_atomic_begin();
  while (handler_count > 0) {
    void (*handler)(void) = handlers[--handler_count];
    __whittle_atomic_end();
    handler();
    __whittle_atomic_begin();
  }
  __whittle_atomic_end();
}

int atexit(void (*handler)(void)) {
  __whittle_atomic_begin();
  if (handler_count == WHITTLE_MAX_HANDLERS) __whittle_unsupported("more than 32 atexit handlers");
  handlers[handler_count++] = handler;
  __whittle_at_exit = run_handlers;
  __whittle_atomic_end();
  return 0;
}

void exit(int status) {
  __whittle_atomic_begin();
  void (*handler)(void) = __whittle_at_exit;
  if (handler) {
    __whittle_atomic_end();
    handler();
    __whittle_atomic_begin();
  }
  __whittle_halt(status & 0xff, "exit");
}

static void (*quick_handlers[WHITTLE_MAX_HANDLERS])(void);
static int quick_handler_count;

int at_quick_exit(void (*handler)(void)) {
  __whittle_atomic_begin();
  if (quick_handler_count == WHITTLE_MAX_HANDLERS) __whittle_unsupported("more than 32 at_quick_exit handlers");
  quick_handlers[quick_handler_count++] = handler;
  __whittle_atomic_end();
  return 0;
}
void quick_exit(int status) {
  __whittle_atomic_begin();
  while (quick_handler_count > 0) {
    void (*handler)(void) = quick_handlers[--quick_handler_count];
    __whittle_atomic_end();
    handler();
    __whittle_atomic_begin();
  }
  __whittle_halt(status & 0xff, "exit");
}

void _Exit(int status) { __whittle_halt(status & 0xff, "exit"); }
void _exit(int status) { __whittle_halt(status & 0xff, "exit"); }
void abort(void) { __whittle_halt(134, "abort"); }

// A failing assertion violates unreach-call; where that is not asked about, it aborts like any other. assert() itself,
// that is __assert_fail, is the front end's: it knows the text.
void __assert_perror_fail(int error, const char* file, unsigned line, const char* function) {
  (void)error, (void)file, (void)line, (void)function;
  __whittle_check(0, WHITTLE_UNREACH_CALL, "assert_perror failed");
  __whittle_halt(134, "abort");
}

int system(const char* command) {
  (void)command;
  return (int)__whittle_nondet_u32();
}
int abs(int n) { return n < 0 ? -n : n; }
long labs(long n) { return n < 0 ? -n : n; }
long long llabs(long long n) { return n < 0 ? -n : n; }
intmax_t imaxabs(intmax_t n) { return n < 0 ? -n : n; }
div_t div(int a, int b) { return (div_t){a / b, a % b}; }
ldiv_t ldiv(long a, long b) { return (ldiv_t){a / b, a % b}; }
lldiv_t lldiv(long long a, long long b) { return (lldiv_t){a / b, a % b}; }
