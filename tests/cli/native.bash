# whittle run --native: the program itself fails. And counterexamples that belong to another program.
source "$source/tests/cli/output.bash"

case_a_race_fails_natively() {
  whittle check "$source/examples/bank.c" --counterexample bank.cex --timeout 60s
  expect_verdict 'false(unreach-call)'
  whittle run "$source/examples/bank.c" --counterexample bank.cex --native
  expect_status 10
  expect_err 'Assertion .checking . savings == 250. failed'
  expect_err 'native: the program fails: signal Aborted'
  expect_files bank.cex
}
case_sanitizers_show_it() {
  cat >free.c <<'C'
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
int main(void) {
  int *p = malloc(4);
  *p = __VERIFIER_nondet_int();
  if (*p == 1234567) free(p);
  return *p;
}
C
  whittle check free.c --counterexample free.cex --timeout 60s
  expect_verdict 'false(valid-deref)'
  whittle run free.c --counterexample free.cex --native
  expect_status 10
  expect_err 'heap-use-after-free'
}
case_a_folder_to_take_away() {
  whittle check "$source/examples/bank.c" --counterexample bank.cex --timeout 60s
  whittle run "$source/examples/bank.c" --counterexample bank.cex --export away
  expect_status 0
  [[ -s away/Makefile && -s away/src/bank.c ]] || fail 'no Makefile or no source'
  make -C away run >"$work/out" 2>"$work/err" && fail 'it does not fail'
  grep -q 'Assertion' "$work/err" || fail 'it fails in another way'
}
case_a_folder_with_headers_and_functions_without_a_body() {
  mkdir -p code/inc
  printf '#define LIMIT 3\nint other(void);\n#include "more.h"\n' >code/api.h
  printf 'int twice(int);\n' >code/inc/more.h
  printf '#include "api.h"\nint twice(int x) { return x * 2; }\n' >code/two.c
  printf '#include <assert.h>\n#include "api.h"\nint main(void) { int x = other(); assert(twice(x) != 2 * LIMIT); return 0; }\n' >code/one.c
  whittle check code/one.c code/two.c -I code/inc --counterexample c.cex --timeout 60s
  expect_verdict 'false(unreach-call)'
  whittle run code/one.c code/two.c -I code/inc --counterexample c.cex --export away
  expect_status 0
  rm -r code
  make -C away run >"$work/out" 2>"$work/err" && fail 'it does not fail'
  grep -q 'Assertion' "$work/err" || fail 'it fails in another way'
}
case_arguments_and_standard_input() {
  cat >text.c <<'C'
#include <assert.h>
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "-x") == 0) {
    argv[1][0] = '+';
    int c = getchar();
    assert(c != '"');
  }
  return 0;
}
C
  whittle check text.c --counterexample c.cex --timeout 60s
  expect_verdict 'false(unreach-call)'
  whittle run text.c --counterexample c.cex --native
  expect_status 10
  expect_err 'Assertion'
}
case_in_gdb() {
  command -v gdb >/dev/null || return 0
  whittle check "$source/examples/bank.c" --counterexample bank.cex --timeout 60s
  "$program" run "$source/examples/bank.c" --counterexample bank.cex --native --gdb </dev/null >"$work/out" 2>"$work/err"
  grep -qE 'main \(\) at .*bank\.c:30' "$work/out" || fail 'no backtrace with the failing line'
  tail -3 "$work/out" | grep -qE '^#[0-9]+ .* main \(\) at .*bank\.c:30' || fail 'the last frame shown is not the one of the program'
}
case_what_hardware_does_not_check_is_said() {
  cat >unlock.c <<'C'
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int main(void) { pthread_mutex_unlock(&m); }
C
  whittle check unlock.c --counterexample c.cex --timeout 60s
  expect_verdict 'false(lock-discipline)'
  whittle run unlock.c --counterexample c.cex --native
  expect_status 5
  expect_err 'does not fail .*the C library does not check'
}

case_another_program_is_refused() {
  race
  whittle check race.c --counterexample c.cex --timeout 60s
  expect_verdict 'false(unreach-call)'
  grep -q '^program [0-9a-f]\{64\} race.c$' c.cex || fail 'no digest'
  whittle run race.c --counterexample c.cex
  expect_status 10
  echo 'int main(void) { return 0; }' >race.c
  whittle run race.c --counterexample c.cex
  expect_one_line 65 'c.cex does not fit this program: .*\(race.c has changed since\)'
}
case_a_schedule_that_does_not_fit_is_refused() {
  race
  whittle run race.c --schedule 0,7
  expect_one_line 65 'does not fit this program: step 2 is one of thread 7, which is not there or cannot go on'
}

case_tests_from_runs() {
  cat >grade.c <<'C'
int __VERIFIER_nondet_int(void);
int main(void) {
  int points = __VERIFIER_nondet_int();
  if (points < 0) return 9;
  if (points > 90) return 1;
  if (points == 77) return 7;
  return points > 50 ? 2 : 3;
}
C
  whittle run grade.c --tests suite --timeout 5s
  expect_status 0
  expect_err '[4-9] tests from [0-9]+ runs reach ([0-9]+) of'
  grep -q '<input>77</input>' suite/*.xml || fail 'no test for 77'
  [[ $(head -c 5 suite/test-1.ktest) == KTEST ]] || fail 'no .ktest'
  clang-19 -w -Wl,--wrap=main suite/tests.c grade.c -o tests || fail 'tests.c cannot be built'
  ./tests >"$work/out" || fail 'a test fails'
  expect_out 'test 4: as before'
}

case_tests_of_a_main_without_return() {
  printf '%s\n' 'int __VERIFIER_nondet_int(void);' 'int main(void) { if (__VERIFIER_nondet_int() == 5) { static volatile int x; x = 77; } }' >silent.c
  whittle run silent.c --tests suite --timeout 2s
  expect_status 0
  sed -n 's|^//   ||p' suite/tests.c | sed 's|tests.c|suite/tests.c|' >build
  CC=clang-19 bash -c "alias cc=clang-19; shopt -s expand_aliases; $(cat build)" >"$work/out" || fail 'a test fails, or its own command does not build it'
  expect_out 'test 1: as before'
}

# Memory without a value is no input of a test: those after it would get the wrong ones.
case_tests_have_what_the_program_asks_for() {
  cat >box.c <<'C'
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
int main(void) {
  int *box = malloc(2 * sizeof *box);
  int first = box[0] > 3;
  int second = __VERIFIER_nondet_int();
  free(box);
  return second == 41 ? 5 : first < 0;
}
C
  whittle run box.c --tests suite --timeout 5s
  if grep -L '<input>' suite/test-*.xml | grep -q .; then fail 'a test without its input'; fi
  [[ $(grep -h '<input>' suite/test-*.xml | wc -l) == $(ls suite/test-*.xml | wc -l) ]] || fail 'more inputs than calls'
  grep -q '<input>41</input>' suite/test-*.xml || fail 'no test for 41'
}

case_scanf_reads_what_was_chosen() {
  cat >scan.c <<'C'
#include <assert.h>
#include <stdio.h>
int main(void) {
  int a;
  char name[8], c;
  double d;
  unsigned short h;
  if (scanf("%d %7s", &a, name) != 2) return 0;
  if (scanf("%lf%c", &d, &c) != 2) return 0;
  if (scanf("%d", &a) != 0) return 0;
  if (getchar() != '?' || scanf("%hx", &h) != 1) return 0;
  assert(a != 42 || name[0] != 'x' || name[1] || !(d > 2.0) || c != 'q' || h != 0xfffe);
}
C
  whittle check scan.c --counterexample scan.cex --timeout 60s
  expect_verdict 'false(unreach-call)'
  expect_out '^    1  "42 x" +scanf  scan\.c:8$'
  expect_out 'scanf\("%d %7s", &a, name\).*'
  expect_out 'a = 42, name = "x"; scanf returns 2'
  expect_out 'h = 65534; .*scanf returns 1'
  expect_no_out '__isoc'
  whittle run scan.c --counterexample scan.cex --native --timeout 60s
  expect_status 10
  expect_err 'native: the program fails: signal Aborted'
}
