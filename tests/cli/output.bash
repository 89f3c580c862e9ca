# What comes out: verdict lines, exit statuses, limits, signals, what `run` does.

race() {
  cat >race.c <<'C'
#include <assert.h>
#include <pthread.h>
int x;
void *add(void *unused) {
  int old = x;
  x = old + 1;
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, add, 0);
  pthread_create(&b, 0, add, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x == 2);
  return 0;
}
C
}
needs_input() {
  cat >input.c <<'C'
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int a = __VERIFIER_nondet_int();
  int b = __VERIFIER_nondet_int();
  if (a > 1000 && b == 4242) reach_error();
  return 0;
}
C
}
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

case_version() {
  whittle --version
  expect_status 0
  expect_no_err
  [[ $(wc -l <"$work/out") -eq 1 ]] || fail "not one line"
  expect_out '^whittle [0-9]+\.[0-9]+\.[0-9]+$'
}
case_help() {
  local command
  whittle --help
  expect_status 0
  for command in check run show check-proof bench; do
    expect_out "^ *$command "
    "$program" "$command" --help >/dev/null || fail "$command --help"
  done
}
case_race_is_found_small_and_replayed() {
  race
  whittle check race.c --timeout 60s
  expect_verdict 'false(unreach-call)'
  expect_out '^violation: '
  expect_out 'thread 0 \(main\) +thread 1'
  expect_out 'x = old \+ 1;'
  local replay
  replay=$(sed -n 's/^replay: whittle //p' "$work/out")
  [[ -n $replay ]] || fail "no replay line"
  eval "whittle $replay"
  expect_status 10
  expect_err '^violation: '
  expect_files race.c
}
case_counterexample_file_replays() {
  race
  whittle check race.c --counterexample race.cex
  expect_verdict 'false(unreach-call)'
  expect_out '^replay: whittle run race.c --counterexample race.cex$'
  whittle run race.c --counterexample race.cex
  expect_status 10
}
case_inputs_are_found_and_made_small() {
  needs_input
  whittle check input.c --json report.json
  expect_verdict 'false(unreach-call)'
  expect_out '^ +1 +a = 1001 +__VERIFIER_nondet_int'
  expect_out '^ +2 +b = 4242 +__VERIFIER_nondet_int'
  whittle run input.c --inputs 1001,4242
  expect_status 10
  whittle run input.c --inputs 1000,4242
  expect_status 0
}
case_equal_seeds_equal_answers() {
  race
  local i
  for i in 1 2; do
    whittle check race.c --seed 7 --counterexample "c$i"
    expect_verdict 'false(unreach-call)'
    tail -n 2 "c$i" >"t$i"
  done
  cmp t1 t2 || fail "different counterexamples"
}
case_safe_is_unknown() {
  echo 'int nondet_int(void); int main(void) { return nondet_int() > 3; }' >ok.c
  whittle check ok.c --engine test --test-runs 10
  expect_verdict unknown
  echo 'int main(void) { return 3; }' >one.c
  whittle check one.c --engine test
  expect_verdict true
}
case_quiet() {
  race
  whittle check race.c --quiet
  expect_verdict 'false(unreach-call)'
  [[ $(wc -l <"$work/out") -eq 1 ]] || fail "more than the verdict"
}
case_assumptions_are_named() {
  echo 'int unknown_function(int); int main(void) { return unknown_function(1); }' >f.c
  whittle check f.c --test-runs 10
  expect_verdict unknown
  expect_out 'unknown_function'
  whittle check f.c --test-runs 10 --strict
  expect_verdict unknown
  expect_out 'unknown_function'
}
case_unsupported_is_named() {
  echo 'int main(void) { __asm__("hlt"); __builtin_trap(); return 0; }' >f.c
  whittle check f.c --test-runs 10
  expect_verdict unknown
  expect_out 'f\.c:1|line 1|asm'
}
case_timeout() {
  endless
  whittle check endless.c --timeout 1s --statistics
  expect_verdict unknown
  expect_out 'time limit reached'
  expect_out 'runs [0-9]+'
}
case_memory_limit() {
  cat >leak.c <<'C'
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  while (__VERIFIER_nondet_int() != 12345678) {
    char *p = malloc(1 << 20);
    p[5] = 1;
  }
}
C
  whittle check leak.c --memory 150M --timeout 60s
  expect_verdict unknown
}
# interrupt SIGNAL: starts a search without end, sends the signal, waits for the end.
interrupt() {
  endless
  "$program" check endless.c --statistics --timeout 100s >"$work/out" 2>"$work/err" &
  local child=$!
  for _ in {1..300}; do [[ -s $work/err ]] && break; sleep 0.1; done  # it has begun, however busy the machine is
  sleep 1
  kill -"$1" "$child"
  wait "$child"
  status=$?
}
case_sigint() {
  interrupt INT
  expect_verdict unknown
  expect_out 'interrupted'
  expect_out 'runs [0-9]+'
  expect_files endless.c
}
# `timeout` signals the process and then its group: that is one interrupt.
case_timeout_s_int() {
  endless
  timeout -s INT 1 "$program" check endless.c --statistics --timeout 100s >"$work/out" 2>"$work/err"
  [[ $? -eq 124 ]] || fail "the status is not timeout's"
  [[ $(tail -n 1 "$work/out") == unknown ]] || fail "no verdict"
  expect_out 'interrupted'
  expect_out 'runs [0-9]+'
  ! grep -q 'twice' "$work/out" "$work/err" || fail "two interrupts"
}

case_sigterm() {
  interrupt TERM
  expect_verdict unknown
  expect_out 'interrupted'
}
case_run_prints_and_exits_as_the_program() {
  cat >hello.c <<'C'
#include <stdio.h>
int main(void) {
  printf("hello %d\n", 42);
  return 3;
}
C
  whittle run hello.c
  expect_status 3
  expect_no_err
  [[ $(<"$work/out") == "hello 42" ]] || fail "wrong output"
}
case_run_aborts() {
  echo '#include <stdlib.h>
int main(void) { abort(); }' >a.c
  whittle run a.c
  expect_status 134
}
case_run_trace() {
  race
  whittle run race.c --trace
  expect_status 0
  expect_err 'x = old \+ 1;.*x = 2'
}
case_run_timeout() {
  endless
  whittle run endless.c --timeout 1s
  expect_status 5
  expect_err 'time limit'
}
case_run_seed() {
  cat >seed.c <<'C'
#include <stdio.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  printf("%d\n", __VERIFIER_nondet_int());
  return 0;
}
C
  whittle run seed.c
  [[ $(<"$work/out") == 0 ]] || fail "inputs are not zero without a seed"
  whittle run seed.c --seed 1
  local first
  first=$(<"$work/out")
  whittle run seed.c --seed 1
  [[ $(<"$work/out") == "$first" ]] || fail "equal seeds, different inputs"
  whittle run seed.c --seed 2
  [[ $(<"$work/out") != "$first" ]] || fail "different seeds, equal inputs"
}
case_clang_flags() {
  mkdir inc
  echo '#define ANSWER 7' >inc/answer.h
  printf '#include <answer.h>\nint main(void) { return ANSWER + MORE + EVEN_MORE; }\n' >f.c
  whittle run f.c -I inc -D MORE=1 -- -DEVEN_MORE=2
  expect_status 10 # 7 + 1 + 2: the program's own
  expect_no_err
}
case_data_model() {
  echo 'int main(void) { return sizeof(long); }' >f.c
  whittle run f.c --data-model ILP32
  expect_status 4
  whittle run f.c
  expect_status 8
}
case_several_files() {
  echo 'int f(void); int main(void) { return f(); }' >a.c
  echo 'int f(void) { return 9; }' >b.c
  whittle run a.c b.c
  expect_status 9
}
case_show() {
  race
  local form
  for form in program cfg dot; do
    whittle show race.c --as "$form"
    expect_status 0
    expect_out 'add'
  done
  if command -v dot >/dev/null; then
    dot -Tsvg "$work/out" >"$work/svg" || fail "Graphviz does not read it"
  fi
}
case_bench_lists_suites() {
  whittle bench
  expect_status 0
  whittle bench nothing
  expect_status 64
}
case_dpr_looks_at_its_limits_on_endless_paths() {
  cat >inputs.c <<'C'
extern _Bool __VERIFIER_nondet_bool(void);
int main(void) {
  unsigned n = 0;
  while (__VERIFIER_nondet_bool()) n++;
  return 0;
}
C
  whittle check inputs.c --engine dpr --timeout 1s
  expect_verdict unknown
  expect_out 'time limit reached after'
  whittle check inputs.c --engine dpr --dpr-statements 10000
  expect_verdict unknown
}

case_reports_never_write_over_what_is_read() {
  echo 'int main(void) { return 0; }' >a.c
  cp a.c before.c
  ln -s a.c link.c
  local option
  for option in --json --html --sarif --witness --coverage --counterexample --proof; do
    whittle check a.c $option ./a.c
    expect_one_line 64 "$option ./a.c would write over a file that is read"
    whittle check a.c $option link.c
    expect_one_line 64 "$option link.c would write over a file that is read"
  done
  cmp -s a.c before.c || fail 'the program was overwritten'
  whittle check a.c --html same --json same
  expect_one_line 64 'are to write the same file'
}

case_numbers_out_of_range_are_refused() {
  echo 'int main(void) { return 0; }' >a.c
  whittle check a.c --trace-lines -3
  expect_status 64
  whittle check a.c --timeout ''
  expect_one_line 64 'is no time'
}

case_a_replay_that_no_shell_takes_is_not_printed() {
  cat >many.c <<'C'
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
  for (unsigned i = 0; i < 6000; ++i)
    if ((__VERIFIER_nondet_uint() & 1) != (i & 1)) --i;
  reach_error();
  return 0;
}
C
  whittle check many.c --engine test --counterexample many.json
  expect_status 10
  expect_out 'replay: whittle run many.c --counterexample many.json'
  whittle check many.c --engine test
  expect_status 10
  expect_out 'replay: too many inputs for a command'
  whittle run many.c --counterexample many.json
  expect_status 10
}
