# CTL formulas about C programs.

model() {
  cat >model.c <<'C'
enum mode { OFF, ON, BROKEN };
struct part { unsigned char level, ready; };
enum mode mode;
struct part part[2];
int passing, list[3] = {1, 2, 3}, chosen, *pointer = &list[0];
int main(void) {
  passing = 1;
  passing = 0;
  chosen = 2;
  chosen = 0;
  list[1] = 7;
  list[1] = 2;
  *pointer = 5;
  *pointer = 1;
  for (;;) {
    mode = ON;
    part[1].level = 3;
    part[1].ready = 1;
    mode = OFF;
    part[1].ready = 0;
  }
}
C
}
case_fair_paths() {
  cat >spin.c <<'C'
#include <pthread.h>
int flag, done, ticks;
void *set(void *u) {
  flag = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, set, 0);
  for (;;) {
    ticks = !ticks;
    if (*(volatile int *)&flag) break;
  }
  done = 1;
  return 0;
}
C
  whittle check spin.c --property ctl --ctl 'AF(done == 1)'
  expect_verdict 'false(ctl)'
  expect_out 'and so on forever'
  whittle check spin.c --property ctl --ctl 'AF(done == 1)' --fair 'flag == 1'
  expect_verdict true
  whittle check spin.c --property ctl --ctl 'AF(done == 2)' --fair 'flag == 1' --fair 'ticks == 1'
  expect_verdict 'false(ctl)'
  whittle check spin.c --property ctl --ctl 'AF(done == 1)' --fair 'AG flag'
  expect_status 65
  expect_err 'without temporal operators'
  whittle check spin.c --fair 'flag == 1'
  expect_status 64
  expect_err 'no --ctl is given'
}

# holds FORMULA, fails FORMULA: under every reduction and both orders
holds() { under_all "$1" true; }
fails() { under_all "$1" 'false(ctl)'; }
under_all() {
  local options
  for options in '' '--order breadth' '--reduce none' '--reduce static' '--dead none' '--dead dynamic' '--states statements'; do
    whittle check --engine explicit $options --ctl "$1" model.c
    expect_verdict "$2"
  done
}

case_values_between_two_pauses_are_seen() {
  model
  fails 'AG(passing == 0)'
  holds 'EF(passing == 1)'
  holds 'AF(passing == 1)'
  fails 'AG(passing == 1)'
}
case_arrays_structs_enums() {
  model
  holds 'AG(mode != BROKEN)'
  holds 'AG AF(mode == ON && part[1].ready)'
  fails 'AG(part[1].ready -> mode == ON)'
  fails 'AG(list[1] == 2)'
}
case_variable_index_and_pointer() {
  model
  fails 'AG(list[chosen] == 1)'
  holds 'EF(list[chosen] == 3)'
  fails 'AG(*pointer == 1)'
  holds 'AG(*pointer == 1 || *pointer == 5)'
}
case_atomic_sections_show_nothing() {
  cat >model.c <<'C'
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int a, b;
int main(void) {
  __VERIFIER_atomic_begin();
  a = 1;
  b = 1;
  __VERIFIER_atomic_end();
  return 0;
}
C
  holds 'AG(a == b)'
  holds 'AF(a == 1)'
}
case_violations_replay() {
  cat >model.c <<'C'
#include <assert.h>
#include <pthread.h>
int steps, shared;
void *work(void *unused) {
  shared = 1;
  return unused;
}
int main(void) {
  steps = 1;
  steps = 2;
  steps = 3;
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  int before = shared, after = shared;
  assert(before == after);
  return 0;
}
C
  whittle check --engine explicit --ctl 'AG(steps >= 0)' --counterexample case.json model.c
  expect_verdict 'false(unreach-call)'
  whittle run --counterexample case.json model.c
  expect_status 10
}
case_wrong_formulas_name_the_column() {
  model
  local formula
  for formula in 'AG(' 'AG(nothing == 0)' 'AX(mode)' 'AG(mode ==)' 'mode == ON)' 'AG(list[)' 'AG(passing & 4)'; do
    whittle check --engine explicit --ctl "$formula" model.c
    expect_status 65
    expect_err 'column [0-9]+'
  done
  whittle check --engine explicit --ctl 'AX(mode)' model.c
  expect_err 'no X'
  whittle check --engine explicit --ctl 'AG(passing & 4)' model.c
  expect_err 'braces'
  whittle check --engine explicit --ctl 'AG({!(passing & 4)})' model.c
  expect_verdict true
}
case_one_formula_at_a_time() {
  model
  whittle check --engine explicit --ctl 'AG(mode <= 2)' --ctl 'AG(mode > 2)' model.c
  expect_status 64
  expect_err 'join the formulas with &&'
  whittle check --engine explicit --ctl 'AG(mode <= 2) && EF(mode == ON)' model.c
  expect_verdict true
}
case_initial_state_is_named() {
  model
  whittle check --engine explicit --ctl 'mode == ON' model.c
  expect_verdict 'false(ctl)'
  expect_out 'before the first statement'
  expect_out 'model.c:6'
}
case_options_of_other_engines_are_refused() {
  model
  whittle check --engine dpr --ctl 'AG(mode == OFF)' model.c
  expect_one_line 64 'ctl'
  whittle check --engine explicit --k 3 model.c
  expect_one_line 64 '--k'
  whittle check --engine test --explain model.c
  expect_one_line 64 '--explain'
}
case_formulas_need_tried_values() {
  model
  whittle check --engine explicit --values symbolic --ctl 'AG(mode <= 2)' model.c
  expect_one_line 64 '--ctl .*--values symbolic'
}
