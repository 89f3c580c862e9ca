// A driver's dispatch routine under every order of requests, forever: each request is completed exactly once, and the
// lock is never taken twice or given back twice.
//
//   whittle check examples/driver.c                one path completes a cancelled request a second time
//   whittle check examples/driver.c -D FIXED       proved
//
// expect: false(unreach-call)
// hard-for: dpr guided
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

enum { STOPPED, STARTED, REMOVED };
enum { START, STOP, READ, WRITE, REMOVE };

static int device = STOPPED;
static int locked;
static int pending;  // the request has not been completed yet

static void acquire(void) {
  if (locked) reach_error();
  locked = 1;
}
static void release(void) {
  if (!locked) reach_error();
  locked = 0;
}
static void complete(void) {
  if (!pending) reach_error();
  pending = 0;
}

// The hardware: it may fail, and it may be slow.
static int transfer(void) {
  int tries = 0;
  while (__VERIFIER_nondet_int() < 0) {
    if (++tries == 3) return -1;
  }
  return 0;
}

static void read_or_write(int cancelled) {
  acquire();
  if (cancelled) complete();
  release();
#ifdef FIXED
  if (cancelled) return;
#endif
  if (transfer() < 0) {
    acquire();
    device = STOPPED;
    release();
  }
  complete();
}

static void dispatch(int request) {
  switch (request) {
    case START:
      if (device == STOPPED) device = STARTED;
      complete();
      break;
    case STOP:
      if (device == STARTED) device = STOPPED;
      complete();
      break;
    case READ:
    case WRITE:
      if (device == STARTED)
        read_or_write(__VERIFIER_nondet_int() != 0);
      else
        complete();
      break;
    case REMOVE:
      device = REMOVED;
      complete();
      break;
    default: complete();
  }
}

int main(void) {
  while (device != REMOVED) {
    pending = 1;
    dispatch(__VERIFIER_nondet_uchar());
    if (pending || locked) reach_error();
  }
  return 0;
}
