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
  together 2 check --engine dash bound.c -D BOUND=1
  expect_status 64
  expect_err '^whittle: started by mpirun with other processes: only '
}

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
# figure NAME: of all.json.
figure() { grep -oE "\"$1\": [0-9]+" all.json | grep -oE '[0-9]+$'; }

case_one_search_by_several_processes() {
  rings
  whittle check --engine explicit --cores 1 rings.c -- -DSIZE=15 -DLIMIT=99
  local all most=0 bytes before=
  all=$(grep -oE "all [0-9]+ reachable" "$work/out")
  for count in 2 4; do
    together "$count" check --engine explicit --json all.json rings.c -- -DSIZE=15 -DLIMIT=99
    expect_verdict true
    expect_out "$all"
    [[ $(grep -c '^true$' "$work/out") -eq 1 ]] || fail "the answer is not printed once"
    most=$(figure states_of_a_process_max)
    [[ $((most * count * 10)) -le $(($(figure states_stored) * 12)) ]] || fail "a process has $most states"
    bytes=$(figure store_bytes_of_a_process_max)
    [[ -z $before || $bytes -lt $before ]] || fail "memory of a process does not fall: $before, $bytes"
    before=$bytes
  done
}

case_a_violation_is_found_by_several_processes() {
  rings
  together 3 check --engine explicit --counterexample c.json rings.c -- -DSIZE=15 -DLIMIT=14
  expect_verdict "false(unreach-call)"
  whittle run rings.c --counterexample c.json -- -DSIZE=15 -DLIMIT=14
  expect_err "assertion"
}

case_what_one_process_must_do_is_refused() {
  rings
  together 2 check --engine explicit --dead dynamic rings.c -- -DSIZE=15 -DLIMIT=14
  expect_status 64
  expect_err 'a search by several processes does not go with --dead dynamic'
  together 2 check --engine explicit --spill kept rings.c -- -DSIZE=15 -DLIMIT=14
  expect_status 64
  expect_err 'does not go with several processes'
}

# lose RANK FILE COMMAND...: starts the command as two processes, and kills one when the file is there, or after a while if it is -.
lose() {
  local rank=$1 file=$2
  shift 2
  mpirun --mca odls_base_sigkill_timeout 2 --oversubscribe --allow-run-as-root -n 2 bash -c 'echo $$ >pid.$OMPI_COMM_WORLD_RANK; exec "$@"' - "$program" "$@" >"$work/out" 2>"$work/err" &
  local run=$! i
  for ((i = 0; i < 200; ++i)); do [[ -s pid.0 && -s pid.1 ]] && break; sleep 0.1; done
  if [[ $file == - ]]; then sleep 2; else
    for ((i = 0; i < 600; ++i)); do [[ -s $file ]] && break; sleep 0.1; done
  fi
  kill -9 "$(cat "pid.$rank")" || fail "it ended before it was killed"
  local begin=$SECONDS
  wait "$run"
  status=$?
  [[ $((SECONDS - begin)) -le 10 ]] || fail "it took $((SECONDS - begin)) s to end"
  [[ $status -ne 0 ]] || fail "exit status 0"
  expect_err 'exited on signal 9'
}

case_any_number_of_processes_goes_on_from_a_checkpoint() {
  rings
  whittle check --engine explicit --cores 1 rings.c -- -DSIZE=40 -DLIMIT=99
  local all
  all=$(grep -oE "all [0-9]+ reachable" "$work/out")
  lose 1 kept/explicit.checkpoint check --engine explicit --checkpoint kept --checkpoint-every 0.1 rings.c -- -DSIZE=40 -DLIMIT=99
  cp -r kept again
  together 3 check --engine explicit --resume kept rings.c -- -DSIZE=40 -DLIMIT=99
  expect_verdict true
  expect_out "$all"
  [[ -z $(ls kept) ]] || fail "an answer needs no checkpoint"
  cp -r again alone
  whittle check --engine explicit --resume alone rings.c -- -DSIZE=40 -DLIMIT=99
  expect_verdict true
  expect_out "$all"
  together 2 check --engine explicit --resume again rings.c -- -DSIZE=41 -DLIMIT=99
  expect_status 65
  expect_err "another program, or of other options"
  [[ $(grep -c "another program" "$work/err") -eq 1 ]] || fail "it is not told once"
  printf x >>"$(find again -name 'explicit.checkpoint.*.1')"
  together 3 check --engine explicit --resume again rings.c -- -DSIZE=40 -DLIMIT=99
  expect_status 65
  expect_err "is damaged"
  rm "$(find again -name 'explicit.checkpoint.*.1')"
  together 2 check --engine explicit --resume again rings.c -- -DSIZE=40 -DLIMIT=99
  expect_status 65
  expect_err "there is no checkpoint"
}

case_a_checkpoint_of_one_process_is_for_one() {
  rings
  whittle check --engine explicit --checkpoint kept --cores 1 --timeout 1s rings.c -- -DSIZE=250 -DLIMIT=255
  expect_verdict unknown
  together 2 check --engine explicit --resume kept rings.c -- -DSIZE=250 -DLIMIT=255
  expect_status 65
  expect_err "is a checkpoint of one process: go on without mpirun"
}

case_a_lost_process_ends_a_search() {
  rings
  lose 1 - check --engine explicit --timeout 100s rings.c -- -DSIZE=250 -DLIMIT=255
  grep -qE 'interrupted.*one of its processes is lost' "$work/out" "$work/err" || fail "it does not say why"
  [[ $(tail -n 1 "$work/out") == unknown ]] || fail "no verdict unknown"
}

case_a_lost_process_ends_a_project() {
  rings
  printf 'options: {timeout: 100s, engine: explicit, D: [SIZE=250, LIMIT=255]}\nchecks:\n  one: {files: [rings.c]}\n  two: {files: [rings.c]}\n' >whittle.yml
  lose 1 - check --jobs 1 --no-answers
  expect_out '^2 checks: 0 as expected, 0 not, 0 unknown, 2 not run$'
}

case_dpr_by_several_processes() {
  cat >digits.c <<'C'
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
int main(void) {
  unsigned sum = 7;
  for (int i = 0; i < 11; ++i)
    if (__VERIFIER_nondet_bool()) sum = sum * 2654435761u + 3;
    else sum = sum * 40503u + 1;
  assert(sum != CLAIM);
}
C
  for count in 2 4; do
    together "$count" check --engine dpr digits.c -- -DCLAIM=5
    expect_verdict true
    [[ $(grep -c '^true$' "$work/out") -eq 1 ]] || fail "the answer is not printed once"
  done
  together 3 check --engine dpr --counterexample c.json digits.c -- '-DCLAIM=(sum & 1 ? 5 : sum)'
  expect_verdict "false(unreach-call)"
  whittle run digits.c --counterexample c.json -- '-DCLAIM=(sum & 1 ? 5 : sum)'
  expect_err "assertion"
}

case_a_plan_is_set_beside_runs() {
  whittle bench scale --processes --items 1 --rounds 1 --plan 1e9,10,4 --json plan.json
  expect_status 0
  [[ $(grep -cE '^ +[1248] +3,262 ' "$work/out") -eq 4 ]] || fail "not the same states with all numbers of processes"
  expect_out '^ *1e\+09 +10 +4 '
  expect_files plan.json
  whittle bench scale --processes --plan 1e9,10
  expect_one_line 64 '--plan 1e9,10: STATES,MACHINES,CORES'
}

case_guided_by_several_processes() {
  cat >writers.c <<'C'
#include <assert.h>
#include <pthread.h>
unsigned x;
static void *writer(void *argument) {
  for (int i = 0; i < 3; ++i) x = x * 3 + (unsigned)(unsigned long)argument;
  return 0;
}
int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, writer, (void *)1);
  pthread_create(&two, 0, writer, (void *)2);
  pthread_join(one, 0);
  pthread_join(two, 0);
  assert(x != CLAIM);
}
C
  local options=(--engine guided --guided-alone 1 --guided-split 8)
  for count in 2 3; do
    together "$count" check "${options[@]}" writers.c -- -DCLAIM=12345
    expect_verdict true
    [[ $(grep -c '^true$' "$work/out") -eq 1 ]] || fail "the answer is not printed once"
  done
  together 3 check "${options[@]}" --no-summaries --counterexample c.json writers.c -- -DCLAIM=26
  expect_verdict "false(unreach-call)"
  whittle run writers.c --counterexample c.json -- -DCLAIM=26
  expect_err "assertion"
}
