# whittle check --coverage: what runs reach, what is proved unreachable. And how far a search is.

write_program() {
  cat >c.c <<'C'
#include <assert.h>
int __VERIFIER_nondet_int(void);
static int classify(int x) {
  if (x < 0) return -1;
  if (x == 123456)
    return 7;
  if (x > 10 && x < 5)
    return 99;
  return x > 100;
}
static int unused(int y) {
  return y + 1;
}
int main(void) {
  int n = __VERIFIER_nondet_int(), k = 0;
  for (int i = 0; i < 3; i++)
    k += classify(n);
  if (k == 297)
    k = unused(k);
  assert(k < 400);
  return 0;
}
C
}

case_lines_reached_and_unreachable() {
  write_program
  whittle check c.c --coverage c.info --timeout 60s
  expect_verdict true
  expect_out '^coverage: 12 of 15 lines reached, 3 proved unreachable; 11 of 14 branches reached, 3 proved unreachable \([0-9]+ runs\)$'
  grep -q '^SF:c\.c$' c.info || fail 'no file in the tracefile'
  grep -qE '^DA:6,[1-9]' c.info || fail 'line 6 needs one input of 4 thousand million: an engine finds it'
  local line
  for line in 8 12 19; do
    ! grep -q "^DA:$line," c.info || fail "line $line is unreachable, so it is left out"
  done
  grep -qE '^LF:12$' c.info && grep -qE '^LH:12$' c.info || fail 'sums of lines'
  grep -qE '^FNDA:[1-9][0-9]*,classify$' c.info || fail 'calls of classify'
  ! grep -q 'unused' c.info || fail 'unused is never called'
  expect_files c.c c.info
}

# What no run reaches and no proof rules out is neither.
# As often as gcov counts it: a condition as often as it is asked, whichever way it goes.
case_lines_are_counted_as_often_as_they_run() {
  cat >loop.c <<'C'
int main(void) {
  int s = 0;
  for (int i = 0; i < 6; i++) {
    if (i % 3 == 0)
      s++;
  }
  return s == 9;
}
C
  whittle check loop.c --coverage loop.info --timeout 60s
  expect_verdict true
  local runs
  runs=$(sed -n 's/^FNDA:\([0-9]*\),main$/\1/p' loop.info)
  local want
  for want in 3:7 4:6 5:2 7:1; do
    grep -qx "DA:${want%:*},$((runs * ${want#*:}))" loop.info || fail "line ${want%:*}: $(grep "^DA" loop.info | tr '\n' ' ')"
  done
}

case_open_is_not_unreachable() {
  cat >open.c <<'C'
unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned long x = __VERIFIER_nondet_uint(), h = x;
  for (int i = 0; i < 400; i++) h = (h ^ (h >> 13)) * 0x9e3779b97f4a7c15ul + (h % (x | 1));
  if (h == 0x123456789abcdeful)
    return 1;
  return 0;
}
C
  whittle check open.c --property unreach-call --coverage open.html --timeout 40s
  expect_out '^coverage: .* 1 open'
  grep -q 'class=open' open.html || fail 'the page does not mark it'
}

# A line that only reads an input is executed once in every run.
case_inputs_are_counted_once() {
  cat >input.c <<'C'
unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  int n = __VERIFIER_nondet_uchar();
  return n > 3;
}
C
  whittle check input.c --coverage input.info --timeout 60s
  expect_verdict true
  expect_out '^coverage: 2 of 2 lines reached'
  local runs
  runs=$(sed -nE 's/^coverage: .*\(([0-9]+) runs\)$/\1/p' "$work/out")
  grep -qx "DA:3,$runs" input.info || fail "line 3 is executed once in each of $runs runs"
}

# The search leaves some of the time for coverage.
case_time_is_kept_for_runs() {
  write_program
  whittle check c.c --engine test --test-seconds 60 --coverage c.info --timeout 3s
  expect_verdict unknown
  expect_out '^coverage: [1-9][0-9]* of '
  expect_files c.c c.info
}

case_threads_and_violations() {
  whittle check "$source/examples/bank.c" --coverage bank.info --timeout 60s
  expect_verdict 'false(unreach-call)'
  grep -qE '^DA:19,[1-9]' bank.info || fail 'the line of a thread'
}

case_a_tracefile_that_cannot_be_written() {
  write_program
  whittle check c.c --coverage none/c.info --timeout 60s
  expect_verdict true
  expect_status 0
  expect_err 'warning: cannot write none/c.info'
}

# Every engine says how far it is, how fast, and how much of its time is gone.
case_progress_has_rates() {
  cat >long.c <<'C'
unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);
int main(void) {
  unsigned long x = __VERIFIER_nondet_uint(), h = x;
  for (unsigned i = 0; i < x; i++) h = (h ^ (h >> 13)) * 0x9e3779b97f4a7c15ul + (h % (x | 1));
  if (h == 0x123456789abcdeful) reach_error();
  return 0;
}
C
  local engine
  for engine in test dash explicit; do
    WHITTLE_PROGRESS_SECONDS=0.1 whittle check long.c --engine $engine --property unreach-call --timeout 5s
    expect_err "^whittle: $engine: [0-9]+ [a-z ]+, [0-9]+/s.*, [0-9]+ s of 5 s, [0-9]+ MiB"
  done
  WHITTLE_PROGRESS_SECONDS=0.1 whittle check long.c --property unreach-call --timeout 5s
  expect_err '^whittle: auto: [0-9]+ s of 5 s, [0-9]+ MiB.*; [a-z]+ [0-9]+ s: [0-9]+ [a-z ]+, [0-9]+/s'
}
