# whittle check without files: the project file.

sources() {
  mkdir -p src harness
  cat >src/clamp.c <<'C'
int limit(void);
int clamp(int x) { return x > limit() ? limit() : x; }
C
  echo 'int limit(void) { return 10; }' >src/stub.c
  cat >harness/good.c <<'C'
#include <assert.h>
int clamp(int x);
extern int __VERIFIER_nondet_int(void);
int main(void) { assert(clamp(__VERIFIER_nondet_int()) <= BOUND); }
C
}
project() {
  sources
  cat >whittle.yml <<'YML'
stubs: [src/stub.c]
options:
  timeout: 60s
  D: BOUND=10
checks:
  clamp:
    files: [harness/good.c, src/clamp.c]
  tight:
    files: [harness/good.c, src/clamp.c]
    D: [BOUND=9]
    expect: false(unreach-call)
YML
}

case_all_checks_run() {
  project
  whittle check
  expect_status 0
  expect_out '^clamp +true '
  expect_out '^tight +false\(unreach-call\) '
  expect_out '^2 checks: 2 as expected, 0 not, 0 unknown, 0 not run$'
  mkdir -p deep/er && cd deep/er || exit 1
  whittle check
  expect_status 0
}
case_only_some() {
  project
  whittle check --only clamp
  expect_out '^1 check: 1 as expected'
  ! grep -q tight "$work/out" || fail "a check that was not asked for"
  whittle check --only clmp
  expect_one_line 64 'no check clmp.*clamp'
}
case_unexpected_is_shown_and_fails() {
  project
  sed -i 's/BOUND=10/BOUND=8/' whittle.yml
  whittle check --sarif all.sarif --json all.json
  expect_status 10
  expect_out '^violation: '
  expect_out '^clamp +false\(unreach-call\) .* expected: true$'
  [[ $(grep -c '"automationDetails"' all.sarif) -eq 2 ]] || fail "SARIF has not two runs"
  grep -q '"tight": {' all.json || fail "JSON has not every check"
  expect_files all.json all.sarif harness src whittle.yml
}
case_github_annotations() {
  project
  sed -i 's/BOUND=10/BOUND=8/' whittle.yml
  whittle check --only clamp --format github
  expect_status 10
  expect_out '^::error file=harness/good\.c,line=4,title=whittle%3A false\(unreach-call\)::assertion .*%0Areplay: whittle run'
}
case_unknown_is_5() {
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
  printf 'checks:\n  hard:\n    files: endless.c\n    timeout: 1s\n' >whittle.yml
  whittle check
  expect_status 5
  expect_out '^hard +unknown '
}
case_mistakes_are_named_with_their_line() {
  whittle check
  expect_one_line 64 'no file given, and no project file whittle.yml'
  printf 'chcks:\n  a:\n    files: a.c\n' >whittle.yml
  whittle check
  expect_one_line 65 'whittle.yml:1: unknown key chcks.*checks'
  printf 'checks:\n  a:\n    property: x\n' >whittle.yml
  whittle check
  expect_one_line 65 'whittle.yml:2: a has no `files:`'
  printf 'checks:\n  a:\n    files: a.c\n    expect: maybe\n' >whittle.yml
  whittle check
  expect_one_line 65 'whittle.yml:4: expect is true, false or false.PROPERTY., not `maybe`'
  printf 'checks: [\n' >whittle.yml
  whittle check
  expect_status 65
  printf 'checks:\n  a:\n    files: a.c\n' >whittle.yml
  whittle check --html x.html
  expect_one_line 64 '--html needs a FILE'
  whittle check
  expect_status 65
  expect_err 'a\.c: no such file'
  expect_out '^a +not run'
}
case_unknown_option_of_a_check_is_named() {
  echo 'int main(void) { return 0; }' >a.c
  printf 'checks:\n  a:\n    files: a.c\n    timout: 3s\n' >whittle.yml
  whittle check
  expect_status 65
  expect_err 'unknown option --timout.*--timeout'
}

case_a_check_has_files_and_a_name_of_its_own() {
  # Without files, each check would start the whole project again.
  printf 'checks:\n  a:\n    files: []\n' >whittle.yml
  timeout 10 "$program" check >"$work/out" 2>"$work/err"
  status=$?
  expect_one_line 65 'whittle.yml:3: a has no files$'
  printf 'checks:\n  a:\n    files: a.c\n  a:\n    files: b.c\n' >whittle.yml
  whittle check
  expect_one_line 65 'whittle.yml:4: a second check of the name a$'
  rm whittle.yml && mkdir whittle.yml
  whittle check
  expect_one_line 65 'whittle.yml is a directory$'
}
case_expected_violations_are_no_annotations() {
  project
  whittle check --only tight --format github
  expect_status 0
  ! grep -q '^::' "$work/out" || fail "an annotation of what was expected"
}
case_sarif_is_sarif_if_no_check_ran() {
  printf 'checks:\n  a:\n    files: gone.c\n' >whittle.yml
  whittle check --sarif all.sarif
  expect_status 65
  grep -q '"version": "2.1.0"' all.sarif && grep -q '"runs": \[\]' all.sarif || fail "not SARIF"
}
case_answers_are_kept() {
  project
  whittle check --answers kept
  expect_status 0
  expect_out '0 not run$'
  whittle check --answers kept --sarif all.sarif
  expect_status 0
  expect_out '^clamp +true .* kept$'
  expect_out '^tight +false\(unreach-call\) .* kept$'
  expect_out '\(2 kept from earlier\)$'
  grep -q 'unreach-call' all.sarif || fail "a kept answer has no report"
  whittle check --answers kept --no-answers
  expect_out '0 not run$'
  # What is asked, and of what, decides.
  sed -i 's/return 10/return 11/' src/stub.c
  whittle check --answers kept --only clamp
  expect_status 10
  sed -i 's/return 11/return 10/' src/stub.c
  whittle check harness/good.c src/clamp.c src/stub.c -D BOUND=10 --answers kept --property unreach-call
  expect_verdict true
  ! grep -q 'kept answer' "$work/out" || fail "another question"
  # A file that was damaged is no answer.
  find kept -type f | while read -r file; do printf 'x' | dd of="$file" bs=1 seek=100 conv=notrunc status=none; done
  whittle check --answers kept
  expect_status 0
  expect_out '0 not run$'
}
case_unknown_is_not_kept() {
  echo 'int f(int x) { asm("hlt"); return x; } int main(void) { return f(1); }' >a.c
  printf 'checks:\n  a:\n    files: a.c\n' >whittle.yml
  whittle check --answers kept
  expect_status 5
  whittle check --answers kept
  expect_status 5
  ! grep -q 'kept' "$work/out" || fail "unknown was kept"
}
case_several_functions_and_jobs() {
  printf 'int one(int x) { return 10 / x; }\nint two(unsigned char x) { return 10 / (x + 1); }\n' >a.c
  printf 'checks:\n  a:\n    files: a.c\n    entry: [one, two]\n' >whittle.yml
  for jobs in 1 2; do
    whittle check --jobs $jobs --no-answers
    expect_status 10
    expect_out '^a/one +false\(no-div-by-zero\)'
    expect_out '^a/two +true'
  done
  whittle check --jobs 2 a.c
  expect_one_line 64 '--jobs is about a project file'
}
