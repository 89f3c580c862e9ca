# whittle bench dash: the quick mode, its files, and a folder of tasks.

case_quick_figures() {
  whittle bench dash --quick --timeout 100s --json bench.json --svg plot.svg
  expect_status 0
  # Five figures, each as printed and broken, and none of them missed.
  local figure
  for figure in 1 3 4 6 8; do
    expect_out "^ +$figure +as printed .* true +proof: (valid|none) +yes\$"
    expect_out "^ +$figure +broken .* false\(unreach-call\) +replayed +yes\$"
  done
  expect_out '^Figure 6 from n = 8 to 16: .*: at most linear; seconds grow as '
  ! grep -q ' NO$' "$work/out" || fail "something is not as expected"
  expect_files bench.json plot-figure18.svg plot-figure6.svg
}
case_quick_files() {
  whittle bench dash --quick --timeout 100s --json bench.json --svg plot.svg
  local document
  for document in plot-figure18.svg plot-figure6.svg; do
    [[ $(head -c 4 $document) == "<svg" && $(tail -n 1 $document) == "</svg>" ]] || fail "$document is no SVG"
    # Nothing is fetched from elsewhere.
    ! grep -qE 'href|<script|<image' $document || fail "$document is not self-contained"
    grep -q '<polyline points="[0-9]' $document || fail "$document shows no line"
  done
  grep -q '"published s"\|"Dash s": "27.90"' bench.json || fail "the published table is not in the JSON"
  # One solver call in each iteration: the two columns follow each other and are equal everywhere.
  grep -A 1 '"iterations":' bench.json | sed -n 's/.*"\(iterations\|solver calls\)": "\([0-9,]*\)".*/\2/p' |
    while read -r iterations && read -r calls; do [[ $iterations == "$calls" ]] || exit 1; done ||
    fail "solver calls and iterations differ"
}
case_tasks_of_a_folder() {
  mkdir -p tasks/drivers
  printf '%s\n' 'extern void __VERIFIER_error(void); extern int __VERIFIER_nondet_int(void);' \
    'int main(void) { int x = __VERIFIER_nondet_int(); int y = x; if (x == 77) y++; if (x != y) __VERIFIER_error(); }' \
    >tasks/drivers/floppy_small_false-unreach-call.c
  printf '%s\n' 'extern void __VERIFIER_error(void); extern int __VERIFIER_nondet_int(void);' \
    'int main(void) { int x = __VERIFIER_nondet_int(), y = x; while (__VERIFIER_nondet_int()) x++, y++;' \
    'if (x != y) __VERIFIER_error(); }' >tasks/drivers/floppy_small_true-unreach-call.c
  whittle bench dash --quick --timeout 100s --dir tasks --sets drivers --proofs
  expect_status 0
  expect_out '^drivers/floppy_small_false.* false +91-1147 +1.61-17.21 .* false\(unreach-call\)'
  expect_out '^drivers/floppy_small_true.* true +538-826 +5.41-14.56 .* true +valid$'
  expect_out '^drivers +2 +2 +0 +0 +0 .* yes .* 1$'
  expect_files tasks
}
case_wrong_expectation_is_an_error() {
  mkdir -p tasks/drivers
  echo 'extern void __VERIFIER_error(void); int main(void) { __VERIFIER_error(); }' >tasks/drivers/a_true-unreach-call.c
  whittle bench dash --quick --timeout 100s --dir tasks --sets drivers
  expect_status 70
  expect_out '^drivers +1 +0 +1 '
}
case_arguments() {
  whittle bench dash --quik
  expect_one_line 64 'unknown argument --quik'
  whittle bench dash --quick --dir nowhere --sets drivers
  expect_one_line 65 'no folder drivers in nowhere'
}
