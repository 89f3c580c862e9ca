# whittle bench svcomp on small collections of our own.

program() {
  printf 'extern void __VERIFIER_error(void);\nextern void reach_error(void);\nint main(void) { int x = 3; if (x == %s) %s(); return 0; }\n' "$1" "$2"
}
# The layout of 2015: one right `true`, one right `false`, one that lies about itself, one that does not compile.
old_layout() {
  mkdir -p old/good old/bad
  program 4 __VERIFIER_error >old/good/a_true-unreach-call.c
  program 3 __VERIFIER_error >old/good/b_false-unreach-call.c
  program 3 __VERIFIER_error >old/bad/c_true-unreach-call.c
  echo 'int main(void) { return }' >old/bad/d_true-unreach-call.c
}
new_layout() {
  mkdir -p new/c/tasks new/c/properties
  echo 'CHECK( init(main()), LTL(G ! call(reach_error())) )' >new/c/properties/unreach-call.prp
  program 4 reach_error >new/c/tasks/a.c
  program 3 reach_error >new/c/tasks/b.c
  local name
  for name in a b; do
    cat >new/c/tasks/$name.yml <<YML
format_version: "2.0"
input_files: '$name.c'
properties:
  - property_file: ../properties/termination.prp
    expected_verdict: true
  - property_file: ../properties/unreach-call.prp
    expected_verdict: $([[ $name == a ]] && echo true || echo false)
options:
  language: C
  data_model: LP64
YML
  done
}

case_old_layout() {
  old_layout
  whittle bench svcomp --dir old --sets good --timeout 20s --jobs 2
  expect_status 0
  expect_out '^good +2 +2 +0 +0 +0 +3 '
  expect_out '^all +2 +2 +0 +0 +0 +3 '
}
case_tasks_of_other_tools_are_left_out() {
  old_layout
  program 4 __VERIFIER_error >old/good/e_false-not-label_true-unreach-call.c
  whittle bench svcomp --dir old --sets good --timeout 20s --property all
  expect_status 0
  expect_out '^good +3 +3 +0 +0 +0 +5 '
}
case_new_layout() {
  new_layout
  whittle bench svcomp --dir new --sets tasks --timeout 20s
  expect_status 0
  expect_out '^tasks +2 +2 +0 +0 +0 +3 '
  whittle bench svcomp --dir new --sets tasks --timeout 20s --only false
  expect_out '^tasks +1 +1 +0 +0 +0 +1 '
}
case_wrong_answers_come_first() {
  old_layout
  whittle bench svcomp --dir old --sets good,bad --timeout 20s --html page.html
  expect_status 70
  expect_out '^bad +2 +0 +1 +0 +1 +-16 '
  [[ $(grep -nE '^(wrong|crash|set)' "$work/out" | cut -d: -f2 | cut -d' ' -f1 | tr '\n' ' ') == 'wrong crash set ' ]] || fail "order"
  expect_out '^wrong: bad/c_true.* answers false\(unreach-call\), expected true'
  grep -q 'class=wrong>wrong: bad/c_true' page.html || fail "the page has no wrong answer"
}
case_page_is_self_contained() {
  old_layout
  whittle bench svcomp --dir old --sets good --timeout 20s --html page.html
  grep -q '<svg' page.html || fail "no plot"
  grep -q 'a_true-unreach-call.c' page.html || fail "a task is missing"
  ! grep -qE '(src|href)=' page.html || fail "the page needs other files"
}
case_goes_on_after_an_interruption() {
  old_layout
  cat >old/good/slow_true-unreach-call.c <<'C'
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_error(void);
int main(void) {  // nobody finds the factors
  while (1) {
    unsigned long long a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
    if (a > 1 && b > 1 && a * b == 12712663544325050021u) __VERIFIER_error();
  }
}
C
  "$program" bench svcomp --dir old --sets good --timeout 61s --json r.json >"$work/out" 2>"$work/err" &
  local child=$! i
  for i in $(seq 100); do [[ $(grep -c '"task"' r.json 2>/dev/null) == 2 ]] && break; sleep 0.2; done
  kill -INT "$child"
  wait "$child"
  status=$?
  expect_status 5
  expect_out '^all +2 +2 '
  rm old/good/slow_true-unreach-call.c
  sed -i 's/"verdict": "true"/"verdict": "unknown"/' r.json  # to see that it is not asked again
  whittle bench svcomp --dir old --sets good --timeout 61s --json r.json
  expect_out '^all +2 +1 +0 +1 '
  whittle bench svcomp --dir old --sets good --timeout 62s --json r.json
  expect_out '^all +2 +2 +0 +0 '
}
case_wrong_usage() {
  old_layout
  whittle bench svcomp --dir nowhere
  expect_one_line 65 'no folder'
  whittle bench svcomp --dir old --sets good --timeout soon
  expect_one_line 64 'no time'
  whittle bench svcomp --dir old --sets good --only maybe
  expect_status 64
}
# A task definition has a task for each property, and the property file says what is checked.
case_all_properties_of_a_definition() {
  mkdir -p all/tasks all/properties
  echo 'CHECK( init(main()), LTL(G ! call(reach_error())) )' >all/properties/unreach-call.prp
  echo 'CHECK( init(main()), LTL(G ! overflow) )' >all/properties/no-overflow.prp
  printf 'CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\nCHECK( init(main()), LTL(G valid-memtrack) )\n' >all/properties/valid-memsafety.prp
  echo 'COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )' >all/properties/coverage-branches.prp
  cat >all/tasks/a.c <<'C'
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int buffer[4] = {0}, x = __VERIFIER_nondet_int();
  if (x == 5) buffer[x] = 1;
  return x + 1;
}
C
  cat >all/tasks/a.yml <<'YML'
format_version: "2.0"
input_files: 'a.c'
properties:
  - property_file: ../properties/unreach-call.prp
    expected_verdict: true
  - property_file: ../properties/no-overflow.prp
    expected_verdict: false
  - property_file: ../properties/valid-memsafety.prp
    expected_verdict: false
    subproperty: valid-deref
  - property_file: ../properties/coverage-branches.prp
options:
  language: C
  data_model: LP64
YML
  whittle bench svcomp --dir all --sets tasks --property all --timeout 20s --json r.json
  expect_status 0
  expect_out '^tasks +3 +3 +0 +0 +0 +4 '
  expect_out 'false\(valid-deref\) +tasks/a:valid-memsafety$'
  expect_out 'false\(no-overflow\) +tasks/a:no-overflow$'
  grep -q '"property": "no-overflow"' r.json || fail "results do not name the property"
  whittle bench svcomp --dir all --sets tasks --property no-overflow --timeout 20s
  expect_out '^tasks +1 +1 '
  sed -i 's/subproperty: valid-deref/subproperty: valid-free/' all/tasks/a.yml
  whittle bench svcomp --dir all --sets tasks --property valid-memsafety --timeout 20s
  expect_status 70
}
case_properties_in_old_names() {
  mkdir -p old/m
  printf 'int x[2]; int main(void) { int i = 2; if (x[0]) return x[i]; return 0; }\n' >old/m/b_true-unreach-call_true-valid-memsafety.c
  printf 'extern int __VERIFIER_nondet_int(void); int x[2]; int main(void) { return __VERIFIER_nondet_int() == 7 ? x[__VERIFIER_nondet_int()] : 0; }\n' >old/m/a_true-unreach-call_false-valid-deref.c
  whittle bench svcomp --dir old --sets m --property valid-memsafety --timeout 20s
  expect_status 0
  expect_out '^m +2 +2 +0 +0 +0 +3 '
}
case_broken_definition_is_named() {
  mkdir -p b/t
  printf 'input_files: [\n' >b/t/a.yml
  whittle bench svcomp --dir b --sets t
  expect_one_line 65 'b/t/a.yml:[0-9]+: '
}
case_check_of_a_definition() {
  mkdir -p d
  echo 'int a[3]; int main(void) { int i = __VERIFIER_nondet_int(); if (i >= 0 && i < 4) a[i] = 1; if (sizeof(long) != 4) reach_error(); return 0; }' >d/a.c
  echo 'CHECK( init(main()), LTL(G ! call(reach_error())) )' >d/unreach-call.prp
  cat >d/a.yml <<'YML'
format_version: "2.0"
input_files: 'a.c'
properties:
  - property_file: unreach-call.prp
    expected_verdict: true
  - property_file: ../properties/valid-memsafety.prp
    expected_verdict: false
    subproperty: valid-deref
  - property_file: ../properties/coverage-branches.prp
options:
  language: C
  data_model: ILP32
YML
  whittle check d/a.yml --all
  expect_status 10
  expect_out '^proved: unreach-call, valid-free, valid-memtrack$'
  expect_out '^violated: valid-deref$'
  expect_out '^replay: whittle run d/a\.c --data-model ILP32 --property d/unreach-call\.prp,memory-safety '
  whittle check d/a.yml --property unreach-call
  expect_status 0
  whittle check d/a.yml --data-model LP64 --property d/unreach-call.prp
  expect_status 10
  whittle check d/a.yml d/a.c
  expect_one_line 64 'd/a\.yml is a task definition'
  printf 'checks: {}\n' >d/other.yml
  whittle check d/other.yml
  expect_one_line 65 'd/other\.yml: no task definition'
  whittle check d/none.yml
  expect_one_line 65 'd/none\.yml: cannot read'
}
