# Traces and messages in the program's own words: names of variables and members, values of their types, objects by number.

case_heap_objects_have_names_and_types() {
  cat >list.c <<'C'
#include <stdlib.h>
enum color { RED, GREEN, BLUE };
struct node {
  int value;
  enum color color;
  double weight;
  char letter;
  struct node *next;
};
struct node *head;
struct node *push(int value) {
  struct node *n = malloc(sizeof *n);
  n->value = value;
  n->color = GREEN;
  n->weight = value * 0.5;
  n->letter = 'q';
  n->next = head;
  head = n;
  return n;
}
int main(void) {
  struct node *a = push(7);
  push(2);
  free(a);
  return head->next->value;
}
C
  whittle check list.c --timeout 60s
  expect_verdict 'false(valid-deref)'
  expect_out 'n = node #1$'
  expect_out 'n->value = 7$'
  expect_out 'n->color = GREEN$'
  expect_out 'n->weight = 3\.5$'
  expect_out "n->letter = 'q'\$"
  expect_out 'n->next = node #1$'
  expect_out 'head = node #2$'
  expect_out 'read of 4 bytes at offset 0 of node #1, allocated at list\.c:12 \(32 bytes\) after it was freed at list\.c:24'
}

case_locals_and_arrays() {
  cat >local.c <<'C'
#include <assert.h>
struct pair { int x, y; struct pair *other; };
void set(struct pair *s, int *numbers, int i) {
  s->y = i;
  s->other = s;
  numbers[i] = 5;
}
int main(void) {
  struct pair here = {1, 2, 0};
  int numbers[4] = {0};
  here.x = 3;
  set(&here, numbers, 2);
  assert(numbers[2] != 5);
}
C
  whittle check local.c --timeout 60s
  expect_verdict 'false(unreach-call)'
  expect_out 'here\.x = 3$'
  expect_out 's->y = 2$'
  expect_out 's->other = &here$'
  expect_out 'numbers\[2\] = 5$'
}

case_bounds_in_words() {
  cat >before.c <<'C'
char text[8];
int main(void) {
  char *p = text;
  p[-1] = 'x';
}
C
  whittle check before.c --timeout 60s
  expect_out 'write of 1 byte 1 byte before text \(8 bytes\)'
  cat >after.c <<'C'
int a[4];
int main(int argc, char **argv) {
  int *p = a;
  return p[argc + 4];
}
C
  whittle check after.c --timeout 60s
  expect_out 'read of 4 bytes 4 bytes past the end of a \(16 bytes\)'
}

# switches: context switches of the schedule in the replay command on stdout.
switches() { sed -n 's/^replay: .*--schedule //p' "$work/out" | tr ',' '\n' | cut -d: -f1 | uniq | wc -l; }

case_few_switches_whichever_engine() {
  cat >five.c <<'C'
#include <assert.h>
#include <pthread.h>
int x, y;
void *one(void *p) { x++; x++; x++; return 0; }
void *two(void *p) { y = x; return 0; }
int main(void) {
  pthread_t t[5];
  for (int i = 0; i < 5; i++) pthread_create(&t[i], 0, i == 2 ? two : one, 0);
  for (int i = 0; i < 5; i++) pthread_join(t[i], 0);
  assert(y != 4);
}
C
  local engine
  for engine in auto test guided; do
    whittle check five.c --engine $engine --timeout 100s
    expect_verdict 'false(unreach-call)'
    # main starts all, one and a bit, two, the rest one by one, main: each thread is switched to once or twice.
    [[ $(switches) -le 12 ]] || fail "$engine: $(switches) pieces"
  done
}

case_rounds_that_are_not_needed_are_left_out() {
  cat >rounds.c <<'C'
#include <assert.h>
#include <pthread.h>
volatile unsigned char busy, inside;
void *enter(void *p) {
  for (;;) {
    while (busy) {
    }
    busy = 1;
    inside++;
    assert(inside == 1);
    inside--;
    busy = 0;
  }
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, enter, 0);
  enter(0);
}
C
  whittle check rounds.c --engine explicit --timeout 60s
  expect_verdict 'false(unreach-call)'
  local schedule
  schedule=$(sed -n 's/^replay: .*--schedule //p' "$work/out")
  local steps=0 piece
  for piece in ${schedule//,/ }; do
    [[ $piece == *:* ]] && steps=$((steps + ${piece#*:})) || steps=$((steps + 1))
  done
  [[ $steps -le 14 ]] || fail "$steps steps: $schedule"
}

case_one_preemption_is_enough() {
  cat >lost.c <<'C'
#include <assert.h>
#include <pthread.h>
int x;
void *add(void *p) { for (int i = 0; i < 4; i++) x++; return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, add, 0);
  pthread_create(&b, 0, add, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x == 8);
}
C
  whittle check lost.c --timeout 60s
  expect_verdict 'false(unreach-call)'
  [[ $(switches) -le 5 ]] || fail "$(switches) pieces where main, a, b, a, main suffice"
  expect_out 'thread 1 \(add\)'
  expect_out 'x = [0-9] was written by thread [12] at lost\.c:4'
}

case_small_inputs() {
  whittle check "$source/examples/average.c" --property no-overflow --timeout 60s
  expect_verdict 'false(no-overflow)'
  ! grep -qE '^ +[0-9]+ .* -?[0-9]{8} ' "$work/out" || fail 'inputs of eight digits'
  cat >sum.c <<'C'
#include <assert.h>
int __VERIFIER_nondet_int(void);
int main(void) {
  int first = __VERIFIER_nondet_int(), second = __VERIFIER_nondet_int();
  assert(!(first > 20 && second > first));
}
C
  local engine
  for engine in auto dash merge; do
    whittle check sum.c --engine $engine --timeout 60s
    expect_out 'first = 21 '
    expect_out 'second = 22 '
  done
}

case_loops_are_folded() {
  cat >loop.c <<'C'
#include <assert.h>
int sum;
int main(void) {
  for (int i = 0; i < 5000; i++) {
    sum += 2;
  }
  assert(sum == 1);
}
C
  whittle check loop.c --timeout 60s
  expect_verdict 'false(unreach-call)'
  expect_out 'rounds 2 to 4999 as round 1 except'
  [[ $(wc -l <"$work/out") -lt 40 ]] || fail 'the trace is long'
  whittle run loop.c --trace-lines 0
  [[ $(wc -l <"$work/err") -gt 9000 ]] || fail '--trace-lines 0 does not show all'
}

case_long_lines_wrap() {
  cat >wide.c <<'C'
#include <assert.h>
int a_rather_long_name_of_a_variable, another_rather_long_name_of_a_variable, a_third_long_name;
int main(void) {
  a_rather_long_name_of_a_variable = 1, another_rather_long_name_of_a_variable = 2, a_third_long_name = 3, assert(a_third_long_name == 4);
}
C
  whittle check wide.c --timeout 60s
  ! sed '/^violation/,$d' "$work/out" | grep -qE '.{101}' || fail 'a line of the trace is longer than 100 characters'
}

case_deadlocks_name_locks() {
  cat >abba.c <<'C'
#include <pthread.h>
pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
void *other(void *p) {
  pthread_mutex_lock(&second);
  pthread_mutex_lock(&first);
  pthread_mutex_unlock(&first);
  pthread_mutex_unlock(&second);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  pthread_mutex_lock(&first);
  pthread_mutex_lock(&second);
  pthread_mutex_unlock(&second);
  pthread_mutex_unlock(&first);
  return 0;
}
C
  whittle check abba.c --timeout 60s
  expect_verdict 'false(no-deadlock)'
  expect_out 'thread 0 waits for mutex second at abba\.c:14, which thread 1 locked at abba\.c:4'
  expect_out 'thread 1 waits for mutex first at abba\.c:5, which thread 0 locked at abba\.c:13'
}

case_invariants_name_variables() {
  cat >lock.c <<'C'
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
struct lock {
  int locked;
  unsigned count;
};
static struct lock l;
int main(void) {
  int n = __VERIFIER_nondet_int(), x = 0, y = 0;
  for (int i = 0; i < n; i++) {
    l.locked = 1;
    x += 2;
    y += 2;
    l.locked = 0;
  }
  assert(l.locked == 0 && x == y);
  return 0;
}
C
  whittle check lock.c --engine dash --property unreach-call --timeout 60s --json proof.json
  expect_verdict 'true'
  grep -q '"text": ".*l\.locked == 0' proof.json || fail "no invariant names l.locked: $(grep '"text"' proof.json)"
  ! grep -q '"text": ".*0x' proof.json || fail "an invariant shows an address"
}

case_arguments_and_results() {
  cat >calls.c <<'C'
#include <assert.h>
struct pair { int x, y; };
enum kind { SMALL, LARGE };
static int add(struct pair *p, enum kind kind, char c) {
  return p->x + p->y + kind + c;
}
int main(void) {
  struct pair here = {1, 2};
  assert(add(&here, LARGE, 'a') == 0);
}
C
  whittle check calls.c --timeout 60s --json calls.json
  expect_out "add\(p = &here, kind = LARGE, c = 'a'\)"
  expect_out 'add returns 101'
  grep -q '"callee": "add"' calls.json || fail 'no call in JSON'
}

case_pointers_out_of_objects_have_names() {
  whittle check "$source/examples/trim.c" --timeout 60s
  expect_verdict 'false(valid-deref)'
  expect_out 'end = 1 byte before text$'
  expect_out 'read of 1 byte 1 byte before text \(6 bytes\)'
}

case_inputs_have_the_programs_names() {
  cat >names.c <<'C'
#include <assert.h>
char __VERIFIER_nondet_char(void);
int __VERIFIER_nondet_int(void);
static void take(int request) { assert(request != 5); }
int main(void) {
  char text[2];
  for (int i = 0; i < 2; i++) text[i] = __VERIFIER_nondet_char();
  if (text[1] == 'q') take(__VERIFIER_nondet_int());
}
C
  whittle check names.c --timeout 60s
  expect_verdict 'false(unreach-call)'
  expect_out ' text\[1\] = 113 '
  expect_out ' request = 5 '
}

case_one_is_smaller_than_the_largest() {
  whittle check "$source/examples/triangle.c" --timeout 60s
  expect_verdict 'false(unreach-call)'
  ! grep -q ' 255 ' "$work/out" || fail 'an input of 255 where 1 will do'
}

case_values_of_every_type() {
  cat >types.c <<'C'
#include <assert.h>
#include <stdlib.h>
#include <string.h>
enum state { IDLE, BUSY = 5 };
struct point { double x, y; };
struct item {
  char name[8];
  struct point at;
  enum state state;
  unsigned flags : 3, level : 5;
  union { int i; float f; } u;
  int (*score)(int);
};
static struct item items[3], other;
static int twice(int a) { return 2 * a; }
enum state __VERIFIER_nondet_int(void);
double __VERIFIER_nondet_double(void);
static int look(const char *text, struct point where) { return text[0] == 'p' && where.x > 2; }
int main(void) {
  enum state s = __VERIFIER_nondet_int();
  double weight = __VERIFIER_nondet_double();
  struct item *p = &items[1];
  strcpy(p->name, "pear");
  p->at.x = 2.25;
  p->state = s;
  p->flags = 5;
  p->level = 31;
  p->u.f = 1.5f;
  p->score = twice;
  other = *p;
  int numbers[20];
  memset(numbers, 0, sizeof numbers);
  memcpy(numbers + 3, "abc", 4);
  char *word = strdup("fig");
  int found = look("plum", p->at);
  free(word);
  assert(!(s == BUSY && weight > 10 && found));
}
C
  whittle check types.c --timeout 60s
  expect_verdict 'false(unreach-call)'
  expect_out '^ +1  s = BUSY \(5\) '
  expect_out '^ +2  weight = (11|100)\.0 '
  expect_out 'strcpy.* -> p->name = "pear"'
  expect_out '-> p->at.x = 2.25$'
  expect_out '-> p->state = BUSY$'
  expect_out '-> p->flags = 5$'
  expect_out '-> p->level = 31$'
  expect_out '-> p->u = \{i = 1069547520, f = 1.5\}$'
  expect_out '-> p->score = twice$'
  expect_out '-> numbers = \{0, 0, 0, 0, 0, 0, 0, 0, ...\}$'
  expect_out '-> word = heap object #1, heap object #1 = "fig"$'
  expect_out 'look\(text = "plum"\)'
  expect_out '-> where.x = 2.25, where.y = 0$'
  grep -qE 'other = \{name = "pear", at = \{x = 2.25, y = 0\}, state = BUSY, flags = 5, level = 31,' <(tr -s ' \n' ' ' <"$work/out") ||
    fail 'the copied struct'
  if grep -qE '[^0-9x][0-9]{9,}' <(grep -- '->' "$work/out" | grep -v 1069547520); then fail 'an address as a number'; fi
}

case_who_waits_for_what() {
  cat >waits.c <<'C'
#include <pthread.h>
#include <semaphore.h>
struct { sem_t items; pthread_rwlock_t rw; pthread_mutex_t m[3]; } s;
static void *work(void *p) {
#ifdef SEMAPHORE
  sem_wait(&s.items);
#elif defined LOCK
  pthread_rwlock_wrlock(&s.rw);
#else
  pthread_mutex_lock(&s.m[2]);
#endif
  return p;
}
int main(void) {
  pthread_t t;
  sem_init(&s.items, 0, 0);
  pthread_rwlock_init(&s.rw, 0);
  pthread_mutex_init(&s.m[2], 0);
  pthread_create(&t, 0, work, 0);
  pthread_join(t, 0);
#ifdef LOCK
  pthread_rwlock_rdlock(&s.rw);
#else
  pthread_mutex_lock(&s.m[2]);
#endif
}
C
  whittle check waits.c -D SEMAPHORE --timeout 60s
  expect_out 'thread 0 waits for the end of thread 1 at waits.c:20; thread 1 waits in sem_wait for s.items at waits.c:6, which thread 0 used last at waits.c:16'
  whittle check waits.c -D LOCK --timeout 60s
  expect_out 'thread 0 waits in pthread_rwlock_rdlock for s.rw at waits.c:22, which thread 1 used last at waits.c:8'
  whittle check waits.c --timeout 60s
  expect_out 'thread 0 waits for mutex s.m\[2\] at waits.c:24, which thread 1 locked at waits.c:10'
}

case_where_it_was_freed_and_lost() {
  cat >freed.c <<'C'
#include <stdlib.h>
struct node { struct node *next; int v; } *head;
static void drop(struct node *n) {
  free(n);
}
int main(void) {
  head = malloc(sizeof *head);
  struct node *keep = head;
#ifdef LOST
  keep = head = 0;
#else
  drop(head);
#endif
#ifdef TWICE
  free(keep);
#elif !defined LOST
  return keep->v;
#endif
}
C
  whittle check freed.c --timeout 60s
  expect_out 'node #1, allocated at freed.c:7 .*after it was freed at freed.c:4'
  whittle check freed.c -D TWICE --timeout 60s
  expect_out 'node #1, allocated at freed.c:7 is freed a second time; the first time at freed.c:4'
  whittle check freed.c -D LOST --property valid-memtrack --timeout 60s
  expect_out 'node #1, allocated at freed.c:7 \(16 bytes\) is never freed'
}
