# Searches of explicit that are stopped and go on, and searches that go on on a disk.

rings() {
  cat >rings.c <<'C'
#include <assert.h>
#include <pthread.h>
unsigned char at[3];
static void *ring(void *argument) {
  unsigned long me = (unsigned long)argument;
  for (;;) at[me] = (unsigned char)((at[me] + 1) % SIZE);
  return 0;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, ring, (void *)1);
  pthread_create(&thread, 0, ring, (void *)2);
  for (;;) {
    at[0] = (unsigned char)((at[0] + 1) % SIZE);
    assert(at[0] < LIMIT || at[1] < LIMIT || at[2] < LIMIT);
  }
}
C
}

flags=(-DSIZE=60 -DLIMIT=99)

# stopped SIGNAL CLANG-FLAG...: a search gets the signal when its first checkpoint is there; leaves what `whittle` leaves.
stopped() {
  local signal=$1
  shift
  rings
  "$program" check --engine explicit --checkpoint kept --checkpoint-every 0.05 rings.c -- "$@" >"$work/out" 2>"$work/err" &
  local pid=$!
  while [[ ! -s kept/explicit.checkpoint ]]; do
    kill -0 "$pid" 2>/dev/null || fail "it ended before there was a checkpoint"
    sleep 0.02
  done
  kill "-$signal" "$pid" 2>/dev/null
  wait "$pid"
  status=$?
  [[ -s kept/explicit.checkpoint ]] || fail "no checkpoint is there"
}

case_a_stopped_search_goes_on() {
  stopped TERM "${flags[@]}"
  expect_verdict unknown
  expect_out "interrupted; --resume goes on from here"
  whittle check --engine explicit --resume kept --cores 3 rings.c -- "${flags[@]}"
  expect_verdict true
  local resumed
  resumed=$(grep -oE "all [0-9]+ reachable" "$work/out")
  [[ ! -e kept/explicit.checkpoint ]] || fail "an answer needs no checkpoint"
  whittle check --engine explicit --cores 1 rings.c -- "${flags[@]}"
  expect_out "$resumed"
}

case_a_killed_search_goes_on() {
  stopped KILL "${flags[@]}"
  whittle check --engine explicit --resume kept --cores 2 rings.c -- "${flags[@]}"
  expect_verdict true
}

case_the_violation_is_found_after_the_stop() {
  stopped KILL -DSIZE=60 -DLIMIT=59
  whittle check --engine explicit --resume kept rings.c -- -DSIZE=60 -DLIMIT=59
  expect_verdict "false(unreach-call)"
}

case_foreign_and_damaged_checkpoints_are_refused() {
  stopped TERM "${flags[@]}"
  whittle check --engine explicit --resume kept rings.c -- -DSIZE=61 -DLIMIT=99
  expect_one_line 65 "another program, or of other options"
  whittle check --engine explicit --resume kept --reduce none rings.c -- "${flags[@]}"
  expect_one_line 65 "another program, or of other options"
  whittle check --engine explicit --resume nowhere rings.c -- "${flags[@]}"
  expect_one_line 65 "there is no checkpoint"
  printf x >>kept/explicit.checkpoint
  whittle check --engine explicit --resume kept rings.c -- "${flags[@]}"
  expect_one_line 65 "is damaged"
  whittle check --engine merge --checkpoint kept rings.c -- "${flags[@]}"
  expect_one_line 64 "checkpoint"
  touch no_folder
  whittle check --engine explicit --checkpoint no_folder rings.c -- "${flags[@]}"
  expect_one_line 65 "cannot write the checkpoint no_folder"
  whittle check --engine explicit --dead dynamic --checkpoint kept rings.c -- "${flags[@]}"
  expect_one_line 64 "--checkpoint does not go with --dead dynamic"
}

case_spill_is_for_the_exact_store() {
  rings
  whittle check --engine explicit --spill files --store hash rings.c -- "${flags[@]}"
  expect_one_line 64 "--spill does not go with --store hash|bit"
  touch no_folder
  whittle check --engine explicit --spill no_folder rings.c -- "${flags[@]}"
  expect_one_line 65 "no room in no_folder"
  whittle check --engine explicit --spill files --memory 1G rings.c -- -DSIZE=20 -DLIMIT=99
  expect_verdict true
  [[ -z $(ls files) ]] || fail "files have no names"
}

# Every path counts.
digits() {
  cat >digits.c <<'C'
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
int main(void) {
  unsigned sum = 7;
  for (int i = 0; i < CHOICES; ++i)
    if (__VERIFIER_nondet_bool()) sum = sum * 2654435761u + 3;
    else sum = sum * 40503u + 1;
  assert(sum != 5 || CHOICES > 99);
}
C
}

case_a_killed_dpr_search_goes_on() {
  digits
  "$program" check --engine dpr --dpr-learn no --cores 2 --dpr-alone 0 --checkpoint kept --checkpoint-every 0.05 digits.c -- -DCHOICES=26 >"$work/out" 2>"$work/err" &
  local pid=$!
  while [[ ! -s kept/dpr.checkpoint ]]; do
    kill -0 "$pid" 2>/dev/null || fail "it ended before there was a checkpoint"
    sleep 0.02
  done
  kill -KILL "$pid"
  wait "$pid"
  whittle check --engine dpr --dpr-learn no --resume kept --timeout 5s digits.c -- -DCHOICES=26
  expect_verdict unknown
  expect_out "--resume goes on from here"
  whittle check --engine dpr --dpr-learn no --resume kept digits.c -- -DCHOICES=21
  expect_one_line 65 "another program, or of other options"
}

case_dpr_goes_on_when_one_of_its_processes_is_killed() {
  digits
  "$program" check --engine dpr --dpr-learn no --cores 3 --dpr-alone 0 digits.c -- -DCHOICES=21 >"$work/out" 2>"$work/err" &
  local pid=$! worker=
  while [[ -z $worker ]]; do
    kill -0 "$pid" 2>/dev/null || fail "it ended before there were processes"
    worker=$(pgrep -P "$pid" | tail -1)
    sleep 0.01
  done
  sleep 0.05
  kill -KILL "$worker"
  wait "$pid"
  status=$?
  expect_verdict true
}

case_a_killed_guided_search_goes_on() {
  cat >writers.c <<'C'
#include <assert.h>
#include <pthread.h>
unsigned x;
static void *writer(void *argument) {
  for (int i = 0; i < ROUNDS; ++i) x = x * 3 + (unsigned)(unsigned long)argument;
  return 0;
}
int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, writer, (void *)1);
  pthread_create(&two, 0, writer, (void *)2);
  writer((void *)5);
  pthread_join(one, 0);
  pthread_join(two, 0);
  assert(x != 12345);
}
C
  local options=(--engine guided --no-summaries --guided-alone 1 --guided-split 64 --checkpoint-every 0.05)
  "$program" check "${options[@]}" --cores 2 --checkpoint kept writers.c -- -DROUNDS=5 >"$work/out" 2>"$work/err" &
  local pid=$!
  while [[ ! -s kept/guided.checkpoint ]]; do
    kill -0 "$pid" 2>/dev/null || fail "it ended before there was a checkpoint"
    sleep 0.02
  done
  kill -KILL "$pid"
  wait "$pid"
  whittle check "${options[@]}" --resume kept --timeout 5s writers.c -- -DROUNDS=5
  expect_verdict unknown
  expect_out "--resume goes on from here"
  whittle check "${options[@]}" --resume kept writers.c -- -DROUNDS=4
  expect_one_line 65 "another program, or of other options"
}

# stops_and_goes_on ENGINE FILE ARGS...: stopped by time again and again, with a kill in between, until there is an answer.
stops_and_goes_on() {
  local engine=$1 file=$2 stops=0 where=--checkpoint
  shift 2
  while :; do
    whittle check --engine "$engine" "$where" kept --checkpoint-every 0.05 --timeout "$((stops / 2 + 1))s" "$file" "$@"
    grep -q "resume goes on from here" "$work/out" || break
    expect_verdict unknown
    [[ -s kept/$engine.checkpoint ]] || fail "no checkpoint is there"
    where=--resume stops=$((stops + 1))
    [[ $stops -lt 40 ]] || fail "it comes to no end"
  done
  [[ ! -e kept/$engine.checkpoint ]] || fail "an answer needs no checkpoint"
}

case_a_stopped_crowd_search_goes_on() {
  cat >ticket.c <<'C'
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
unsigned next, served;
int inside;
static void *user(void *none) {
  for (;;) {
    __VERIFIER_atomic_begin();
    unsigned mine = next++;
    __VERIFIER_atomic_end();
    while (mine != served) continue;
    inside++;
    assert(inside == 1);
    inside--;
    served++;
  }
  return none;
}
int main(void) {
  pthread_t thread;
  while (__VERIFIER_nondet_int()) pthread_create(&thread, 0, user, 0);
  user(0);
}
C
  stops_and_goes_on crowd ticket.c --property unreach-call
  expect_out "the facts found do not exclude"
}
