# Commands that mpirun starts as several processes. They are on one machine here: what differs on several is MPI's business.

# together N ARGS...: like `whittle`, as N processes.
together() {
  local count=$1
  shift
  mpirun --quiet --oversubscribe --allow-run-as-root -n "$count" "$program" "$@" >"$work/out" 2>"$work/err"
  status=$?
}

project() {
  cat >bound.c <<'C'
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) { assert(__VERIFIER_nondet_int() <= BOUND); }
C
  cat >whittle.yml <<'YML'
options: {timeout: 60s}
checks:
  one: {files: [bound.c], D: [BOUND=2147483647]}
  two: {files: [bound.c], D: [BOUND=9], expect: false(unreach-call)}
  three: {files: [bound.c], D: [BOUND=2147483647]}
  four: {files: [bound.c], D: [BOUND=8], expect: false(unreach-call)}
  five: {files: [bound.c], D: [BOUND=2147483647]}
YML
}

case_checks_of_a_project_are_given_out() {
  project
  together 3 check --no-answers --jobs 1 --json all.json --sarif all.sarif
  expect_status 0
  expect_out '^5 checks: 5 as expected, 0 not, 0 unknown, 0 not run$'
  [[ $(grep -cE '^(one|two|three|four|five) ' "$work/out") -eq 5 ]] || fail "one line for each check, printed once"
  [[ $(grep -oE '^[a-z]+ ' "$work/out" | tr -d '\n') == 'one two three four five ' ]] || fail "not in the order of the file"
  [[ $(grep -c '"automationDetails"' all.sarif) -eq 5 ]] || fail "reports of other processes are missing"
  expect_files all.json all.sarif bound.c whittle.yml
}

case_tasks_of_a_collection_are_given_out() {
  mkdir -p old/good
  for i in 1 2 3 4; do echo 'int main(void) { return 0; }' >"old/good/task${i}_true-unreach-call.c"; done
  together 2 bench svcomp --dir old --sets good --timeout 20s --json r.json
  expect_status 0
  expect_out '^all +4 +4 +0 +0 +0 '
}

case_other_commands_are_refused() {
  project
  together 2 check bound.c -D BOUND=1
  expect_status 64
  expect_err '^whittle: started by mpirun with other processes: only '
}

case_a_lost_process_ends_the_run() {
  cat >slow.c <<'C'
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint(), z = __VERIFIER_nondet_uint();
  for (unsigned i = 0; i < 1000; ++i) x = x * y + z, y = y * z ^ x, z = (z << 3) + y;
  assert(x * y * z != 12345 || x == y);
}
C
  printf 'options: {timeout: 100s}\nchecks:\n  one: {files: [slow.c]}\n  two: {files: [slow.c]}\n' >whittle.yml
  mpirun --oversubscribe --allow-run-as-root -n 2 bash -c \
    'echo $$ >pid.$OMPI_COMM_WORLD_RANK; exec "$0" check --jobs 1 --no-answers' "$program" >"$work/out" 2>"$work/err" &
  local run=$! i
  for ((i = 0; i < 200; ++i)); do [[ -s pid.1 && -s pid.0 && $(pgrep -P "$(cat pid.1)" 2>/dev/null) ]] && break; sleep 0.1; done
  sleep 0.5
  kill -9 "$(cat pid.1)"
  local begin=$SECONDS
  wait "$run"
  status=$?
  [[ $((SECONDS - begin)) -le 10 ]] || fail "it took $((SECONDS - begin)) s to end"
  [[ $status -ne 0 ]] || fail "exit status 0"
  expect_err 'exited on signal 9'
  expect_out '^2 checks: 0 as expected, 0 not, 0 unknown, 2 not run$'
}
