# The engine `auto`: what it says, what limits and signals do to it.

# A search without end: nobody finds the factors of that number, and nobody proves that it has none.
endless() {
  cat >endless.c <<'C'
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
  while (1) {
    unsigned long a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
    if (a > 1 && b > 1 && a * b == 12712663544325050021u) reach_error();
  }
}
C
}
lock() {
  cat >lock.c <<'C'
#include <assert.h>
#include <pthread.h>
int inside;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *work(void *unused) {
  while (1) {
    pthread_mutex_lock(&m);
    inside++;
    assert(inside == 1);
    inside--;
    pthread_mutex_unlock(&m);
  }
  return unused;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, work, 0);
  work(0);
}
C
}
# gone PID...: none of them runs any more (nobody may have asked yet how it ended).
gone() {
  local pid
  for pid in "$@"; do
    [[ ! -d /proc/$pid || $(ps -o stat= -p "$pid") == Z* ]] || fail "process $pid is left"
  done
}

# engines_of PID: the processes of its engines, as soon as there are any.
engines_of() {
  local i list pid
  for i in $(seq 200); do
    list=$(ps -o pid= --ppid "$1" -o comm= | awk '$2 == "whittle" { print $1 }')
    sleep 0.3
    # A process that compiles has the same name, and is gone soon.
    list=$(for pid in $list; do kill -0 "$pid" 2>/dev/null && echo "$pid"; done)
    [[ -n $list ]] && break
  done
  echo $list
}

case_is_the_default_and_says_its_plan() {
  lock
  whittle check lock.c --timeout 60s
  expect_verdict true
  expect_err '^whittle: threads, started at 1 place, 1 loop \(endless\), no inputs: trying explicit and test'
  [[ $(grep -c . "$work/err") -eq 1 ]] || fail "the plan is one line"
  expect_out '^explicit: proved'
  expect_out 'all schedules .*every number of loop rounds'
  expect_out '^not checked: .*no-overflow.*termination'
  whittle check lock.c --timeout 60s --quiet
  expect_verdict true
  expect_no_err
}
case_json_names_the_engine_that_decided() {
  lock
  whittle check lock.c --timeout 60s --json r.json
  grep -q '"engine": "explicit"' r.json || fail "no engine"
  grep -q '"not_checked": "valid-memtrack' r.json || fail "nothing about what was not checked"
  grep -q '"engines_tried": "explicit' r.json || fail "no times"
}
case_one_core() {
  lock
  whittle check lock.c --timeout 60s --cores 1
  expect_verdict true
  expect_err 'trying explicit, then test'
  whittle check lock.c --cores 0
  expect_status 64
}
case_option_of_an_engine_chooses_it() {
  lock
  whittle check lock.c --order breadth --timeout 60s
  expect_verdict true
  expect_no_err
  whittle check lock.c --order breadth --test-runs 5
  expect_one_line 64 'is an option of engine'
}
case_wrong_value_of_an_option_is_one_line() {
  lock
  whittle check lock.c --order sideways
  expect_one_line 64 'order is one of'
}
case_timeout_says_what_each_engine_knows() {
  endless
  whittle check endless.c --timeout 4s
  expect_verdict unknown
  expect_out '^auto: time limit reached'
  expect_out '^  test: .*time limit'  # on a busy machine it may be stopped before it could say more
  expect_out '^  explicit: '
}
case_interrupt_says_what_each_engine_knows() {
  endless
  "$program" check endless.c --timeout 100s >"$work/out" 2>"$work/err" &
  local child=$! engines
  engines=$(engines_of "$child")
  [[ -n $engines ]] || fail "no engine at work"
  kill -INT "$child"
  wait "$child"
  status=$?
  expect_verdict unknown
  expect_out '^auto: interrupted'
  gone $engines
}
case_engines_die_with_whittle() {
  endless
  "$program" check endless.c --timeout 100s >"$work/out" 2>"$work/err" &
  local child=$! engines
  engines=$(engines_of "$child")
  [[ -n $engines ]] || fail "no engine at work"
  kill -KILL "$child"
  wait "$child" 2>/dev/null
  sleep 0.5
  gone $engines
}
case_a_killed_engine_costs_nothing() {
  endless
  "$program" check endless.c --timeout 8s >"$work/out" 2>"$work/err" &
  local child=$! engine
  for engine in $(engines_of "$child"); do
    kill -SEGV "$engine" 2>/dev/null || continue  # it may have given up meanwhile
    kill -CONT "$engine"                          # if it is another's turn, the signal would wait
    break
  done
  wait "$child"
  status=$?
  expect_verdict unknown
  expect_out 'engine [a-z]+ gave no answer: crashed \(signal 11'
  expect_out '^auto: time limit reached'
}
case_vacuous_proofs_are_warned_about() {
  cat >empty.c <<'C'
#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);
int main(void) {
  int x = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(x < 200);
  assert(x < 250);
  if (x > 220)
    assert(x == 7);
  __VERIFIER_assume(x > 210);
  assert(x != 3);
}
C
  whittle check empty.c --timeout 60s
  expect_verdict true
  expect_out 'warning: no run satisfies the assumption at empty.c:10'
  expect_out 'warning: no run reaches the assertion at empty.c:9'
  expect_out 'warning: no run reaches the assertion at empty.c:11'
  ! grep -qE 'empty.c:(6|7)' "$work/out" || fail "a warning about what runs do reach"
  whittle check empty.c --timeout 60s --vacuity no
  expect_verdict true
  ! grep -q warning "$work/out" || fail "a warning nobody wants"
}
