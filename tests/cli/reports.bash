# Files that reports write, and the manual that describes the options.
source "$source/tests/cli/output.bash"

case_json_shape() {
  race
  whittle check race.c --json report.json
  expect_verdict 'false(unreach-call)'
  local field
  for field in verdict property engine seconds peak_memory statistics assumptions trace; do
    grep -q "^  \"$field\": " report.json || fail "no field $field"
  done
  grep -q '"verdict": "false(unreach-call)"' report.json || fail "wrong verdict"
  expect_files race.c report.json
}
case_json_on_stdout() {
  race
  whittle check race.c --json -
  expect_status 10
  [[ $(head -n 1 "$work/out") == "{" ]] || fail "JSON does not come first"
  [[ $(tail -n 1 "$work/out") == "}" ]] || fail "something follows the JSON"
  python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$work/out" || fail "stdout is not JSON"
}
case_html_sarif_witnesses() {
  race
  whittle check race.c --html r.html --sarif r.sarif --witness w.yml --counterexample c.cex
  expect_verdict 'false(unreach-call)'
  grep -q 'thread 1' r.html || fail "no trace in the page"
  grep -q '"ruleId": "unreach-call"' r.sarif || fail "no result in SARIF"
  grep -q 'violation_sequence' w.yml || fail "no witness"
  whittle check race.c --witness w.graphml
  grep -q 'violation_witness' w.graphml || fail "no GraphML witness"
  expect_files race.c r.html r.sarif w.yml c.cex w.graphml
}
case_nothing_found_writes_no_witness() {
  echo 'int nondet_int(void); int main(void) { return nondet_int() > 3; }' >ok.c
  whittle check --engine test --test-runs 10 ok.c --witness w.yml --sarif r.sarif
  expect_verdict unknown
  grep -q '"results": \[\]' r.sarif || fail "results are not empty"
  expect_files ok.c r.sarif
}

# A report that cannot be written costs neither the verdict nor its exit code.
case_a_report_that_cannot_be_written_is_a_warning() {
  printf '#include <assert.h>\nint main(void) { assert(0); }\n' >bad.c
  mkdir folder
  whittle check bad.c --timeout 60s --json none/r.json --html folder --sarif r.sarif
  expect_verdict 'false(unreach-call)'
  expect_status 10
  expect_err 'warning: cannot write none/r.json'
  expect_err 'warning: cannot write folder'
  [[ -s r.sarif ]] || fail 'the other report is missing'
}

# validated ARGS...: the witness of a check is confirmed by another process, with the same verdict.
validated() {
  whittle check "$@" --witness w.yml --timeout 60s
  local verdict
  verdict=$(tail -n 1 "$work/out")
  whittle check "$@" --validate w.yml --timeout 60s
  expect_verdict "$verdict"
  expect_out 'the witness is confirmed'
}

case_violation_witnesses_are_validated() {
  cat >inputs.c <<'C'
int __VERIFIER_nondet_int(void);
double __VERIFIER_nondet_double(void);
void reach_error(void);
int main(void) {
  int a = __VERIFIER_nondet_int() + 2 * __VERIFIER_nondet_int();
  double d = __VERIFIER_nondet_double();
  if (a == 77 && d > 2.5 && d < 2.75) reach_error();
}
C
  validated inputs.c --property unreach-call
  expect_verdict 'false(unreach-call)'
  [[ $(grep -c 'column: 33' w.yml) == 1 && $(grep -c 'column: 63' w.yml) == 1 ]] || fail "two calls on one line: $(cat w.yml)"
  grep -qE 'result == 2\.[67]' w.yml || fail 'a double is no literal'
  validated "$source/examples/bank.c" --property unreach-call
  grep -q 'format_version: "2.2"' w.yml || fail 'threads need 2.2'
  [[ $(grep -c 'type: function_enter' w.yml) == 2 ]] || fail 'two threads are started'
  grep -q 'thread_id: 2' w.yml || fail 'no thread 2'
  whittle check inputs.c --property unreach-call --witness w.graphml
  whittle check inputs.c --property unreach-call --validate w.graphml
  expect_verdict 'false(unreach-call)'
  whittle check "$source/examples/bank.c" --property unreach-call --witness bank.graphml
  [[ $(grep -c createThread bank.graphml) -ge 3 ]] || fail 'no createThread'
}

case_correctness_witnesses_are_validated() {
  cat >lock.c <<'C'
int __VERIFIER_nondet_int(void);
void reach_error(void);
int main(void) {
  int locked = 0;
  for (int i = 0; i < __VERIFIER_nondet_int(); i++) {
    if (locked) reach_error();
    locked = 1;
    locked = 0;
  }
  while (__VERIFIER_nondet_int())
    if (locked) reach_error();
}
C
  validated lock.c --property unreach-call --engine dash
  expect_verdict true
  [[ $(grep -c 'loop_invariant' w.yml) == 2 ]] || fail "invariants: $(cat w.yml)"
  sed 's/locked == 0/locked == 1/' w.yml >wrong.yml
  whittle check lock.c --property unreach-call --validate wrong.yml --timeout 60s
  expect_verdict unknown
  expect_out 'the witness is refuted: an invariant does not hold at lock.c'
  sed 's/locked == 0/locked = 0/' w.yml >assigns.yml
  whittle check lock.c --property unreach-call --validate assigns.yml --timeout 60s
  expect_verdict unknown
  expect_out 'invariants cannot be checked, the first is lock.c:[0-9]+: locked = 0'
  # What is no C there is the witness's fault, not the program's.
  for value in 'locked == == 0' 'unlocked == 0'; do
    sed "0,/locked == 0/s//$value/" w.yml >no_c.yml
    whittle check lock.c --property unreach-call --validate no_c.yml --timeout 60s
    expect_verdict unknown
    expect_out "1 of the witness's invariants cannot be checked, the first is lock.c:[0-9]+: $value; the property was proved"
  done
}

case_witnesses_name_their_property() {
  cat >wait.c <<'C'
#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
void *left(void *p) { pthread_mutex_lock(&a); pthread_mutex_lock(&b); pthread_mutex_unlock(&b); pthread_mutex_unlock(&a); return p; }
void *right(void *p) {
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return p;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, left, 0);
  pthread_create(&u, 0, right, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
}
C
  validated wait.c
  expect_verdict 'false(no-deadlock)'
  grep -q 'LTL(G ! deadlock)' w.yml || fail "the specification: $(grep CHECK w.yml)"
  whittle check wait.c --witness w.graphml --timeout 60s
  whittle check wait.c --validate w.graphml --timeout 60s
  expect_verdict 'false(no-deadlock)'
  expect_out 'the witness is confirmed'
  cat >unlock.c <<'C'
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int main(void) { pthread_mutex_unlock(&m); }
C
  whittle check unlock.c --witness w.yml --timeout 60s
  expect_verdict 'false(lock-discipline)'
  grep -q 'LTL(G lock-discipline)' w.yml || fail "the specification: $(grep CHECK w.yml)"
}

case_invariants_that_need_not_have_a_value_confirm_nothing() {
  cat >loop.c <<'C'
int __VERIFIER_nondet_int(void);
void reach_error(void);
int main(void) {
  int locked = 0;
  for (int i = 0; i < __VERIFIER_nondet_int(); i++) {
    if (locked) reach_error();
    locked = 1;
    locked = 0;
  }
}
C
  whittle check loop.c --property unreach-call --engine dash --witness w.yml --timeout 60s
  expect_verdict true
  # The same invariants about a program that is wrong, and none of which has a value there.
  sed -i '/locked = 0;$/d' loop.c && sed -i 's/int main(void) {/int main(void) {\n  int locked = 0;/' loop.c
  hash=$(sha256sum loop.c | cut -d' ' -f1)
  sed "s/locked == 0/1 \/ (locked - locked) == 0 || 1/; s/[0-9a-f]\{64\}/$hash/" w.yml >none.yml
  grep -q 'locked - locked' none.yml || fail 'the invariant is another one'
  whittle check loop.c --property unreach-call --timeout 20s
  expect_verdict 'false(unreach-call)'
  whittle check loop.c --property unreach-call --validate none.yml --timeout 20s
  [[ $(tail -n 1 "$work/out") != true ]] || fail 'a violated program is confirmed'
  expect_no_out 'the witness is confirmed'
}

case_what_is_no_witness_is_refused() {
  echo 'int main(void) { return 0; }' >ok.c
  local text
  for text in 'x: [' '- entry_type: story' '<graphml/>' ''; do
    printf '%s' "$text" >bad.yml
    whittle check ok.c --validate bad.yml
    expect_status 65
    expect_err 'no witness'
  done
  whittle check ok.c --engine explicit --witness w.yml --timeout 60s
  echo 'int main(void) { return 1; }' >ok.c
  whittle check ok.c --validate w.yml
  expect_status 65
  expect_err 'another version of ok.c'
}

case_invariants_of_a_long_proof_can_be_read() {
  cat >twice.c <<'C'
int __VERIFIER_nondet_int(void);
void reach_error(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), i = 0, s = 0;
  if (n < 0 || n > 1000) return 0;
  while (i < n) {
    s += 2;
    i++;
  }
  if (s != 2 * n) reach_error();
}
C
  whittle check twice.c --engine dash --timeout 100s --witness twice.yml
  expect_verdict true
  expect_out '^  twice.c:6: (.* && )?s == i \* 2'
  [ "$(grep -c ' && (.* && (' "$work/out")" = 0 ] || fail "brackets in brackets"
  grep -q 's == i \* 2' twice.yml || fail "no invariant in the witness"
}
