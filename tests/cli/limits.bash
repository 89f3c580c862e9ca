# Limits hold with every engine: of time, of memory, and of a solver that does not come back. The statistics are printed all
# the same. Where the machine is busy everything takes longer, so the bounds here only catch twice as much.

# No solver finds the factors of that number, or proves that there are none.
hard() {
  cat >hard.c <<'C'
#include <assert.h>
extern unsigned long __VERIFIER_nondet_ulong(void);
int main(void) {
  unsigned long a = __VERIFIER_nondet_ulong(), b = __VERIFIER_nondet_ulong();
  if (a > 1 && b > 1 && a < 4294967296u && b < 4294967296u) assert(a * b != 12712663544325050021u);
}
C
}
# One question that takes a solver long, and that it does not leave when it is told to.
floats() {
  cat >floats.c <<'C'
#include <assert.h>
extern double __VERIFIER_nondet_double(void);
int main(void) {
  double x = __VERIFIER_nondet_double(), y = __VERIFIER_nondet_double(), z = __VERIFIER_nondet_double();
  if (x > 1 && y > 1 && z > 1 && x < 1e10 && y < 1e10 && z < 1e10) {
    double p = (x * y) * z, q = x * (y * z);
    assert(p - q < 1e-3 * p && q - p < 1e-3 * p);
  }
}
C
}
# Two variables that run through all their values, on one path and on many.
spin() {
  cat >spin.c <<'C'
unsigned x, y;
int main(void) {
  for (;;) {
    x++;
    if (x % 3 == 0) y++;
  }
}
C
  cat >spins.c <<'C'
#include <assert.h>
#include <pthread.h>
unsigned x, y;
void *other(void *unused) {
  for (;;) x++;
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  for (;;) {
    y++;
    assert(x != 3000000000u || y != 4000000000u);
  }
}
C
}
crowds() {
  cat >crowd.c <<'C'
#include <assert.h>
#include <pthread.h>
extern unsigned long __VERIFIER_nondet_ulong(void);
unsigned long p = 1, q = 1;
void *work(void *unused) {
  unsigned long a = __VERIFIER_nondet_ulong(), b = __VERIFIER_nondet_ulong();
  if (a * b * b != p * q + 3 && a % (b | 1) > 5) p = a * p;
  assert(a < 2 || b < 2 || a >= 4294967296u || b >= 4294967296u || a * b != 12712663544325050021u);
  q = b * p % (a | 1);
  return unused;
}
int main(void) {
  pthread_t t;
  while (1) pthread_create(&t, 0, work, 0);
}
C
}

# in_time SECONDS STATISTIC ARGS...: ends in less than twice the time, and says what it knows.
in_time() {
  local seconds=$1 figure=$2 begin end
  shift 2
  begin=$(date +%s%N)
  whittle check "$@" --timeout "${seconds}s" --statistics
  end=$(date +%s%N)
  expect_verdict unknown
  expect_out '^no answer by [a-z]+ in [0-9.]+ s, [0-9.]+ [KMG]iB'
  expect_out "$figure [0-9]"
  (((end - begin) / 1000000 < seconds * 1900)) || fail "took $(((end - begin) / 1000000)) ms: whittle check $*"
}

case_time_explicit() { spin; in_time 3 'states stored' spin.c --engine explicit; }
case_time_explicit_dynamic() { spin; in_time 3 'states stored' spin.c --engine explicit --dead dynamic; }
case_time_explicit_dynamic_threads() { spin; in_time 3 'states stored' spins.c --engine explicit --dead dynamic; }
case_time_explicit_breadth() { spin; in_time 3 'states stored' spins.c --engine explicit --order breadth; }
case_time_explicit_symbolic() { hard; in_time 3 'solver queries' hard.c --engine explicit --values symbolic; }
case_time_explicit_floats() { floats; in_time 3 'symbolic states' floats.c --engine explicit; }
case_time_test() { hard; in_time 3 'runs' hard.c --engine test; }
case_time_dpr() { hard; in_time 3 'explored' hard.c --engine dpr; }
case_time_guided() { hard; in_time 3 'runs full' hard.c --engine guided; }
case_time_dash() { hard; in_time 3 'iterations' hard.c --engine dash; }
case_time_merge() { hard; in_time 3 'claims' hard.c --engine merge; }
case_time_crowd() { crowds; in_time 3 'candidates' crowd.c --engine crowd; }
case_time_auto() { hard; in_time 4 'dash iterations' hard.c; }
case_time_auto_threads() { spin; in_time 4 'explicit states stored' spins.c; }

# in_memory MEGABYTES SECONDS ARGS...: the figure of the report is near the limit at most.
in_memory() {
  local megabytes=$1 seconds=$2 figure
  shift 2
  whittle check "$@" --memory "${megabytes}M" --timeout "${seconds}s" --json r.json
  expect_verdict unknown
  expect_out 'memory limit reached'
  figure=$(grep -oE '"peak_memory": *[0-9]+' r.json | tail -n 1 | grep -oE '[0-9]+$')
  ((figure / 1000000 <= megabytes * 125 / 100)) || fail "peak $figure bytes, limit $megabytes MB"
}
case_memory_explicit() { spin; in_memory 300 100 spins.c --engine explicit --order breadth; }
case_memory_explicit_dynamic() { spin; in_memory 300 100 spins.c --engine explicit --dead dynamic; }
# An engine that has no memory left ends; the others go on.
case_memory_auto() { spin; in_memory 300 40 spins.c; }

# What the program that starts whittle took is not whittle's.
case_memory_is_its_own() {
  echo 'int main(void) { return 0; }' >small.c
  python3 - "$program" <<'P' >"$work/out" 2>"$work/err"
import os, sys
block = bytearray(b'x') * (600 << 20)
os.execv(sys.argv[1], [sys.argv[1], 'check', 'small.c', '--engine', 'explicit', '--json', 'r.json'])
P
  figure=$(grep -oE '"peak_memory": *[0-9]+' r.json | tail -n 1 | grep -oE '[0-9]+$')
  ((figure < 400000000)) || fail "peak $figure bytes"
}

case_solver_options() {
  cat >small.c <<'C'
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned a = __VERIFIER_nondet_uint();
  if (a * 7 == 21 && a < 100) assert(a == 3);
}
C
  whittle check small.c --engine guided --timeout 60s --smt-log log
  expect_verdict true
  ls log/query-*.smt2 >/dev/null || fail 'no log'
  for solver in z3 cvc5 cadical auto; do
    whittle check small.c --engine guided --timeout 60s --solver "$solver"
    expect_verdict true
    whittle check small.c --engine merge --timeout 60s --solver "$solver"
    expect_verdict true
  done
  whittle check small.c --engine dash --timeout 60s --cross-check --statistics
  expect_verdict true
  expect_out 'solver cross checked'
  whittle check small.c --solver yices
  expect_status 64
}
