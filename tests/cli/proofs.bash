# Proofs: which answers have one, and what --require-proof does.
threads() {
  cat >threads.c <<'EOF'
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;
static void *add(void *unused) {
  pthread_mutex_lock(&m);
  n++;
  pthread_mutex_unlock(&m);
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, add, 0);
  pthread_create(&b, 0, add, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(n == 2);
  return 0;
}
EOF
}
case_threads_are_proved_by_states() {
  threads
  whittle check threads.c --proof p.json --require-proof
  expect_verdict true
  whittle check-proof p.json threads.c
  expect_status 0
  expect_out '^by: all of its [0-9]+ states$'
  expect_out '^valid$'
}
case_the_checker_reports_as_json() {
  threads
  whittle check threads.c --proof p.json
  whittle check-proof p.json threads.c --json -
  expect_status 0
  python3 -c 'import json,sys; r = json.load(sys.stdin); assert (r["result"], r["kind"], r["data_model"]) == ("valid", "states", "LP64"), r' <"$work/out" || fail "not the report"
  whittle check-proof p.json threads.c --quiet --json report.json
  [[ $(cat "$work/out") == valid ]] || fail "more than one line"
  python3 -c 'import json,sys; r = json.load(sys.stdin); assert r["steps"] > 0 and "no-deadlock" in r["properties"], r' <report.json || fail "not the report"
  sed -i 's/"states": \([0-9]*\)\(,\?\)$/"states": 1\2/' p.json
  whittle check-proof p.json threads.c --json -
  expect_status 10
  expect_out '"result": "invalid"'
}
case_doctored_states_are_refused() {
  threads
  whittle check threads.c --proof p.json
  sed -i 's/"states": \([0-9]*\)\(,\?\)$/"states": 1\2/' p.json
  grep -q '"states": 1' p.json || fail "not doctored: $(cat p.json)"
  whittle check-proof p.json threads.c
  expect_status 10
  expect_out '^invalid: the program has .* states, not 1'
  whittle check threads.c --proof p.json
  sed -i 's/n == 2/n <= 2/' threads.c
  whittle check-proof p.json threads.c
  expect_one_line 65 'another program'
}
case_inputs_of_threads_are_terms() {
  threads
  sed -i 's/n == 2/n == 2 * k \&\& k > 0/; 1i unsigned __VERIFIER_nondet_uint(void); unsigned k;' threads.c
  sed -i 's/^  n++/  n += k/; s/^  pthread_t a, b;/&\n  k = __VERIFIER_nondet_uint();\n  if (k == 0 || k > 1000) return 0;/' threads.c
  whittle check threads.c --proof p.json --require-proof
  expect_verdict true
  whittle check-proof p.json threads.c
  expect_status 0
  expect_out '^valid$'
}
case_a_required_proof_that_is_not_there() {
  threads
  whittle check threads.c --property no-data-race --proof p.json
  expect_verdict true
  expect_err 'p.json is not written: .* no-data-race is not looked at'
  [[ ! -e p.json ]] || fail "p.json was written"
  whittle check threads.c --property no-data-race --require-proof
  expect_verdict unknown
  expect_out 'no proof that check-proof could follow'
  ! grep -q 'proved for' "$work/out" || fail "it says what was proved"
}
case_one_thread_is_proved_by_regions() {
  printf 'int main(void) { unsigned i = 0, n = __VERIFIER_nondet_uint(); while (i < n) i++; __VERIFIER_assert(i == n); }\n' >loop.c
  sed -i '1i unsigned __VERIFIER_nondet_uint(void); void reach_error(void) {} void __VERIFIER_assert(int c) { if (!c) reach_error(); }' loop.c
  whittle check loop.c --proof p.json --require-proof --property unreach-call
  expect_verdict true
  whittle check-proof p.json loop.c
  expect_out '^by: [0-9]+ regions'
  expect_out '^valid$'
}
case_proofs_are_compressed() {
  threads
  whittle check threads.c --proof p
  [[ $(head -c 4 p | od -An -tx1 | tr -d ' ') == 28b52ffd ]] || fail "not compressed"
  whittle check-proof p threads.c
  expect_status 0
  head -c 100 p >short
  whittle check-proof short threads.c
  expect_one_line 65 'damaged'
  { cat p; echo more; } >long
  whittle check-proof long threads.c
  expect_one_line 65 'damaged'
}
# merge joins paths, and the checker goes through them.
case_one_thread_is_proved_by_states_where_dash_finds_nothing() {
  cat >bits.c <<'EOF'
int __VERIFIER_nondet_int(void);
void reach_error(void) {}
int main(void) {
  int a[3], i, sum = 0;
  for (i = 0; i < 3; i++) a[i] = __VERIFIER_nondet_int() & 1;
  for (i = 0; i < 3; i++) sum += (a[i] ^ (a[i] >> 1)) * (2 * i + 1);
  if (sum * sum > 81) reach_error();
  return 0;
}
EOF
  whittle check bits.c --engine merge --property unreach-call --proof p.json --require-proof
  expect_verdict true
  whittle check-proof p.json bits.c
  expect_status 0
  expect_out '^valid$'
}
case_a_proof_that_claims_less_is_none() {
  threads
  whittle check threads.c --proof p.json
  whittle check-proof p.json threads.c --property unreach-call,no-deadlock
  expect_status 0
  whittle check-proof p.json threads.c --property no-overflow
  expect_status 10
  expect_out '^invalid: it does not claim no-overflow'
  echo 'CHECK( init(main()), LTL(G ! call(nothing())) )' >other.prp
  sed -i 's/  assert(n == 2);/  if (n != 3) reach_error();/; 1i void reach_error(void) {}' threads.c
  whittle check threads.c --property other.prp --proof q.json --require-proof
  expect_verdict true
  whittle check-proof q.json threads.c
  expect_out 'errors are calls of: nothing$'
  whittle check-proof q.json threads.c --property unreach-call
  expect_status 10
  expect_out '^invalid: it does not claim that .* is never called'
}
