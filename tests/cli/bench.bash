# whittle bench compare and startup.

# results FILE VERDICT-OF-A KIND-OF-A SECONDS-OF-A VERDICT-OF-B KIND-OF-B
results() {
  cat >"$1" <<JSON
{"engine": "auto", "timeout": "60s", "memory": "", "cores": 1, "results": [
 {"task": "s/a", "set": "s", "expected": true, "verdict": "$2", "kind": "$3", "score": 2, "seconds": $4, "cpu_seconds": 1},
 {"task": "s/b", "set": "s", "expected": false, "verdict": "$5", "kind": "$6", "score": 1, "seconds": 2.5, "cpu_seconds": 2}]}
JSON
}
case_compare_says_who_solved_what() {
  results old.json true right 0.5 unknown unknown
  results new.json true right 0.2 'false(unreach-call)' right
  whittle bench compare old.json new.json --scatter scatter.svg --quantile quantile.svg --json compared.json
  expect_status 0
  expect_out '^old +2 +1 +0 +0 +0 +3 '
  expect_out '^new +2 +2 +0 +1 +1 +3 '
  expect_out '^s/b +unknown +2.50 +false\(unreach-call\) +2.50 +only new'
  [[ $(grep -c '<circle' scatter.svg) -eq 2 ]] || fail "not two points"
  grep -q '<title>s/b</title>' scatter.svg || fail "points have no names"
  grep -q '<polyline' quantile.svg || fail "no lines"
  grep -q '"table"' compared.json || fail "no tables in JSON"
}
case_compare_finds_contradictions() {
  results old.json true right 0.5 'false(unreach-call)' right
  results new.json 'false(unreach-call)' wrong 0.2 'false(unreach-call)' right
  whittle bench compare old.json new.json
  expect_status 10
  expect_out '^s/a .*contradiction'
}
case_compare_complains() {
  results old.json true right 0.5 true right
  whittle bench compare old.json
  expect_one_line 64 'needs two files of results'
  whittle bench compare old.json none.json
  expect_one_line 65 'none.json: no such file'
  echo '{}' >empty.json
  whittle bench compare old.json empty.json
  expect_one_line 65 'empty.json: not a file that whittle bench svcomp --json wrote'
  whittle bench compare old.json .
  expect_one_line 65 '\. is a directory$'
  echo '{"results": [{"task": 3}]}' >odd.json
  whittle bench compare old.json odd.json
  expect_one_line 65 'odd\.json: not a file that whittle bench svcomp'
  whittle bench compare old.json old.json --svg x
  expect_one_line 64 'unknown argument --svg'
}
# Time is that of the processor, as tests run beside others.
case_startup_keeps_its_bars() {
  whittle bench startup --file "$source/examples/bank.c" --runs 5 --bars
  if "$program" help >/dev/null && ldd "$program" | grep -q libLLVM; then
    expect_out '^whittle check bank.c' # without clang inside, it is only measured
  else
    expect_status 0
  fi
  expect_out '^whittle --version '
}
