# An answer for each property and each assertion.
several() {
  cat >several.c <<'END'
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int a[4];
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x > 0 && x < 10) assert(x != 3);
  if (x >= 0 && x < 4) assert(a[x] == 0);
  if (x == 7) a[x] = 1;
  if (x == 20) assert(x == 21);
  return 0;
}
END
}
case_the_first_violation_ends_the_search() {
  several
  whittle check several.c --timeout 100s
  [[ $(tail -n 1 "$work/out") == false* ]] || fail "no violation"
  expect_out '^violated:'
  expect_out 'the search ended with the first violation \(--all goes on\)'
}
case_all_violations() {
  several
  whittle check several.c --all --timeout 100s --json r.json --sarif r.sarif --html r.html
  [[ $(tail -n 1 "$work/out") == false* ]] || fail "no violation"
  expect_status 10
  expect_out '^  several.c:6 assertion `x != 3`$'
  expect_out '^  several.c:9 assertion `x == 21`$'
  expect_out '^violated: unreach-call, valid-deref'
  [[ $(grep -c '^violation:' "$work/out") -eq 3 ]] || fail "not three violations"
  [[ $(grep -c '^replay:' "$work/out") -eq 3 ]] || fail "not three ways to see them again"
  # The other assertion is proved.
  sed -n '/^proved:/,/^violated:/p' "$work/out" | grep -q 'several.c:7 assertion' || fail "what was proved is not kept"
  [[ $(grep -c '"ruleId"' r.sarif) -eq 3 ]] || fail "not three results in SARIF"
  [[ $(grep -c '"answer": "violated"' r.json) -eq 4 ]] || fail "wrong claims in JSON"
  # Each can be run again.
  local line
  sed -n 's/^replay: //p' "$work/out" >replays
  while read -r line; do
    whittle ${line#whittle }
    expect_status 10
  done <replays
}
# Whether memory is lost is known at the end of a run only, and this one has none; the rest is proved.
case_proofs_are_kept() {
  cat >kept.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int a, b;
void *change(void *p) {
  for (;;) {
    pthread_mutex_lock(&m);
    a = !a;
    b = a;
    pthread_mutex_unlock(&m);
  }
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, change, malloc(1));
  for (;;) {
    pthread_mutex_lock(&m);
    assert(a == b);
    assert(a < 2);
    pthread_mutex_unlock(&m);
  }
}
END
  whittle check kept.c --engine explicit --timeout 60s --property unreach-call,valid-deref,valid-memtrack --json r.json
  expect_verdict unknown
  expect_out '^proved: unreach-call \(2 assertions\), valid-deref$'
  expect_out '^unknown: valid-memtrack$'
  expect_out 'because: no violation found, but lost memory is looked for at exit only'
  [[ $(grep -c '"answer": "proved"' r.json) -eq 4 ]] || fail "wrong claims in JSON"
}
# What fails after a failed assertion that the program passes is found, too, and runs again with --ignore.
case_after_a_violation() {
  cat >twice.c <<'END'
extern int nondet_int(void);
int main(void) {
  int x = nondet_int();
  __CPROVER_assert(x != 3, "not three");
  __CPROVER_assert(x < 3 || x > 3, "not three again");
  __CPROVER_assert(x > 5 || x < 100, "anything");
  return 100 / (x - 5);
}
END
  whittle check twice.c --all --timeout 100s
  expect_status 10
  expect_out '^proved: .*no-bad-shift'
  expect_out '^  twice.c:6 anything$'
  expect_out '^violated: .*no-div-by-zero'
  [[ $(grep -c '^violation:' "$work/out") -eq 3 ]] || fail "not three violations"
  [[ $(grep -c -e '--ignore twice.c:4' "$work/out") -eq 1 ]] || fail "not one that needs --ignore"
  local line
  sed -n 's/^replay: //p' "$work/out" >replays
  while read -r line; do
    whittle ${line#whittle }
    expect_status 10
  done <replays
}
case_everything_proved_is_one_line() {
  printf '#include <assert.h>\nint main(void) { int x = 1; assert(x == 1); assert(x > 0); return 0; }\n' >ok.c
  whittle check ok.c --timeout 60s
  expect_verdict true
  expect_out '^proved: unreach-call \(2 assertions\), valid-deref'
}
case_ignored_places() {
  printf '#include <assert.h>\nint main(void) {\n  int x = 1;\n  assert(x == 2);\n  return 0;\n}\n' >bad.c
  whittle check bad.c --ignore bad.c:4 --timeout 60s
  expect_verdict true
  expect_out 'what is violated at bad.c:4 is passed over'
  whittle check bad.c --ignore bad.c:3
  expect_one_line 64 'nothing can be violated there'
}
# What no engine can pass ends the search, with the place and what to do about it.
case_every_run_meets_it() {
  cat >lib.c <<'END'
#include <assert.h>
#include <netdb.h>
extern int __VERIFIER_nondet_int(void);
static int look_up(const char *name) {
  return gethostbyname(name) == 0;
}
int main(void) {
  int sum = 0;
  for (int i = 0; i < 30; i++)
    if (__VERIFIER_nondet_int()) sum++;
  assert(look_up("x") <= 1);
  return sum;
}
END
  local engine
  for engine in auto dpr guided; do
    whittle check lib.c --engine $engine
    expect_verdict unknown
    expect_out 'every run meets a place that is not modelled: library function `gethostbyname` has no model \(lib.c:5\)'
    expect_out '--stub gethostbyname=any'
  done
  whittle check lib.c --stub gethostbyname=zero --timeout 60s
  expect_verdict true
}
case_violations_before_what_every_run_meets() {
  printf '#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\nint main(void) {\n  assert(__VERIFIER_nondet_int() != 77);\n  __asm__("hlt");\n  return 0;\n}\n' >a.c
  whittle check a.c
  expect_verdict 'false(unreach-call)'
}
# A race and a use after free that races cannot be passed over; what else goes wrong is found all the same, once.
case_all_violations_with_threads() {
  cat >threads.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int x, y, *p;
void *a(void *q) {
  x++;
  y = x;
  assert(y < 2);
  return 0;
}
void *b(void *q) {
  x++;
  free(p);
  return 0;
}
int main(void) {
  pthread_t t, u;
  p = malloc(4);
  pthread_create(&t, 0, a, 0);
  pthread_create(&u, 0, b, 0);
  *p = 3;
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(x == 2);
  return 0;
}
END
  whittle check threads.c --all --timeout 40s --property unreach-call,valid-deref,no-data-race
  expect_status 10
  expect_out '^  threads.c:8 assertion'
  expect_out '^  threads.c:24 assertion'
  [[ $(grep -c '^violation:' "$work/out") -eq 4 ]] || fail "not four violations"
}
# What fails inside a function of the C library is passed over for that call alone.
case_all_violations_in_the_library() {
  cat >lib.c <<'END'
#include <assert.h>
#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  char a[4], b[4];
  int x = __VERIFIER_nondet_int();
  if (x == 1) strcpy(a, "too long");
  if (x == 2) strcpy(b, "as well");
  if (x == 3) memset(b, 0, 5);
  if (x == 4) { char *p = malloc(3); free(p); free(p); }
  if (x == 5) { char *p = malloc(3); free(p); free(p); }
  if (x == 6) { void (*f)(void) = 0; f(); }
  if (x == 7) { void (*f)(void) = 0; f(); }
  strcpy(a, "abc");
  assert(strlen(a) == 3);
  assert(x != 8);
  return 0;
}
END
  whittle check lib.c --all --timeout 100s
  expect_status 10
  [[ $(grep -c '^violation:' "$work/out") -eq 8 ]] || fail "not eight violations"
  sed -n '/^proved:/,/^violated:/p' "$work/out" | grep -q 'lib.c:16 assertion' || fail "what was proved is not kept"
  expect_no_out 'were not looked for'
  local line
  sed -n 's/^replay: //p' "$work/out" >replays
  while read -r line; do
    whittle ${line#whittle }
    expect_status 10
  done <replays
}
# Every run violates something early: it goes on where the write is left out, and ends where a value would be made up.
case_all_violations_of_one_run() {
  cat >one.c <<'END'
#include <assert.h>
#include <stdlib.h>
#include <string.h>
int *null;
int main(void) {
  char a[4], *p = malloc(4);
  memset(p, 0, 5);
  strcpy(a, "abcd");
  p[4] = 1;
  assert(a[3] == 'd');
  assert(p[3] == 0);
  free(p + 1);
  free(p);
  free(p);
  __CPROVER_assert(a[0] == 'b', "b");
  int x = *null;
  free(p);
  return x;
}
END
  whittle check one.c --all --timeout 100s
  expect_status 10
  [[ $(grep -c '^violation:' "$work/out") -eq 7 ]] || fail "not seven violations"
  local line
  for line in 7 8 9 12 14 15 16; do expect_out "^  one.c:$line: in main"; done
  expect_out 'proved of runs without the violation at .*one.c:16:'
  sed -n 's/^replay: //p' "$work/out" >replays
  while read -r line; do
    whittle ${line#whittle }
    expect_status 10
  done <replays
}
# Assertions are told apart where they share a line, or a place: that of a macro.
case_assertions_of_one_line() {
  cat >line.c <<'END'
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
#define BOTH(a, b) do { assert(a); assert(b); } while (0)
int main(void) {
  int x = __VERIFIER_nondet_int();
  assert(x != 1); assert(x != 2);
  BOTH(x != 3, x != 4);
  return 0;
}
END
  whittle check line.c --all --timeout 100s
  expect_status 10
  local i
  for i in 1 2 3 4; do
    expect_out "^violation: assertion \`x != $i\` failed"
    expect_out "^replay: whittle run line.c --inputs $i "
  done
}
