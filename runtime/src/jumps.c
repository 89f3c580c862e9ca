// longjmp, and what is built on it. The front end turns setjmp into plain control flow (src/frontend/jumps.h): setjmp puts
// the address of a byte of its own frame into the buffer, longjmp notes that address as the target and returns, and every
// function on the way returns at once until the frame of that byte is reached.
// The system's headers are not read here: they say that these functions do not return.
#include "threads.h"

_Thread_local void* __whittle_jump_target;  // null: no jump is under way
_Thread_local int __whittle_jump_value;

// What setjmp puts into a buffer; the front end knows these offsets.
struct jump {
  void* target;
  _Alignas(8) uint64_t mask;  // of signals, if it was saved
  int32_t mask_was_saved;
};

static void jump(const struct jump* to, int value) {
  __whittle_check(__whittle_object_size(to->target) != 0, WHITTLE_VALID_DEREF,
                  "longjmp to a function that has returned, or without setjmp");
  if (to->mask_was_saved) __whittle_restore_signals(to->mask);
  __whittle_jump_value = value ? value : 1;
  __whittle_jump_target = to->target;
}
void longjmp(struct jump* buffer, int value) { jump(buffer, value); }
void _longjmp(struct jump* buffer, int value) { jump(buffer, value); }
void siglongjmp(struct jump* buffer, int value) { jump(buffer, value); }
void __longjmp_chk(struct jump* buffer, int value) { jump(buffer, value); }

// pthread_cleanup_push is a setjmp whose buffers form a list for each thread. Whoever ends the thread jumps to the last of
// them, which runs its handler and goes on to the one before.
struct cleanup {  // __pthread_unwind_buf_t
  union {
    struct jump jump;
    long registers[sizeof(void*) == 8 ? 8 : 6];
  };
  int mask_was_saved;
  struct cleanup* before;
  void* rest[3];
};
static _Thread_local struct cleanup* cleanups;
static _Thread_local void* exit_value;

static void run_cleanups(void* result) {
  if (!cleanups) return;
  exit_value = result;
  jump(&cleanups->jump, 1);
}
void __pthread_register_cancel(struct cleanup* buffer) {
  buffer->before = cleanups;
  cleanups = buffer;
  __whittle_atomic_begin();
  __whittle_at_pthread_exit = run_cleanups;
  __whittle_atomic_end();
}
void __pthread_unregister_cancel(struct cleanup* buffer) { cleanups = buffer->before; }
void __pthread_unwind_next(struct cleanup* buffer) {
  cleanups = buffer->before;
  if (cleanups)
    jump(&cleanups->jump, 1);
  else
    __whittle_thread_finish(exit_value);
}
