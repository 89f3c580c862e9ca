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
