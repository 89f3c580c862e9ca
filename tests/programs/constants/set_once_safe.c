// expect: true
// proved-by: dash
// property: unreach-call
// The states of a driver are variables that a function sets once. From then on they are numbers.
void reach_error(void);
int __VERIFIER_nondet_int(void);
int UNLOADED, NEUTRAL, SKIPPED, PENDING, DONE;
int state, pending;
static void setup(void) {
  UNLOADED = 0;
  NEUTRAL = 1;
  SKIPPED = 2;
  PENDING = 3;
  DONE = 4;
  state = UNLOADED;
}
static int lower(void) {
  if (state == SKIPPED) {
    state = PENDING;
    return __VERIFIER_nondet_int();
  }
  if (state != NEUTRAL) reach_error();
  state = DONE;
  return 0;
}
int main(void) {
  setup();
  state = NEUTRAL;
  if (__VERIFIER_nondet_int()) state = SKIPPED;
  int status = lower();
  if (state == PENDING) {
    if (status == 259) pending = 1;
  } else if (state != DONE) {
    reach_error();
  }
  if (pending == 1 && state == DONE) reach_error();
  return 0;
}
