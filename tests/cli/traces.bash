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
  expect_out " text\\[1\\] = 'q' \\(113\\) "
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
  expect_out '-> p->u\.f = 1\.5$'
  expect_out '-> p->score = twice$'
  expect_out '-> numbers = \{0, 0, 0, 0, 0, 0, 0, 0, ...\}$'
  expect_out '-> word = heap object #1, heap object #1 = "fig"$'
  expect_out 'look\(text = "plum", where = \{x = 2\.25, y = 0\}\)'
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

case_results_have_the_type_of_the_function() {
  cat >results.c <<'C'
#include <assert.h>
enum kind { NONE, SOME = 7 };
struct point { int x; double y; };
static double half(int x) { return x / 2.0; }
static unsigned large(void) { return 4000000000u; }
static _Bool yes(_Bool same) { return same; }
static char letter(void) { return 'q'; }
static enum kind kind(void) { return SOME; }
static const char *word(void) { return "pear"; }
static struct point at(int x) { struct point p = {x, 0.5}; return p; }
static int sum(struct point p, int more) { return p.x + more; }
int main(void) {
  int n = 0;
  if (half(3) > 1) n++;
  if (large() > 5) n++;
  if (yes(1)) n++;
  if (letter() == 'q') n++;
  if (kind() == SOME) n++;
  if (word()[0] == 'p') n++;
  if (at(3).x == 3) n++;
  struct point p = {4, 2.5};
  if (sum(p, 1) == 5) n++;
  assert(n != 8);
}
C
  whittle check results.c --timeout 60s
  expect_verdict 'false(unreach-call)'
  expect_out 'half returns 1\.5$'
  expect_out 'large returns 4000000000$'
  expect_out 'yes\(same = true\)$'
  expect_out 'yes returns true$'
  expect_out "letter returns 'q'\$"
  expect_out 'kind returns SOME$'
  expect_out 'word returns "pear"$'
  expect_out 'at returns \{x = 3, y = 0\.5\}$'
  expect_out 'sum\(p = \{x = 4, y = 2\.5\}, more = 1\)$'
  expect_no_out 'coerce|agg\.tmp|retval'
}

case_unions_by_the_member_that_fits() {
  cat >union.c <<'C'
#include <assert.h>
union word { unsigned all; struct { unsigned char low, high; } part; };
int main(void) {
  union word w;
  w.all = 0xffffffff;
  w.part.low = 1;
  w.part.high = 2;
  assert(w.all != 0xffff0201);
}
C
  whittle check union.c --timeout 60s
  expect_verdict 'false(unreach-call)'
  expect_out 'w\.part\.low = 1$'
  expect_out 'w\.part\.high = 2$'
  expect_no_out 'all \+'
}

case_heap_objects_by_what_they_hold() {
  cat >heap.c <<'C'
#include <assert.h>
#include <stdlib.h>
#include <string.h>
struct packet { int count; short data[]; };
int main(void) {
  char *buf = malloc(10);
  strcpy(buf, "hey");
  struct packet *p = malloc(sizeof *p + 6);
  p->count = 3;
  p->data[2] = -9;
  memset(buf, 'A', 6);
  p = realloc(p, 40);
  int *v = malloc(5 * sizeof *v);
  memset(v, 0, 3 * sizeof *v);
  assert(buf[1] != 'A' || p->data[2] != -9 || v[0] != 0);
}
C
  whittle check heap.c --timeout 60s
  expect_verdict 'false(unreach-call)'
  expect_out 'buf = "hey"$'
  expect_out 'p->data\[2\] = -9$'
  expect_out 'buf\[0\.\.5\] = "AAAAAA"$'
  expect_out '\*p = \{count = 3, data = \{\?, \?, -9\}\}$'
  expect_out 'v\[0\.\.2\] = \{0, 0, 0\}$'
}

case_what_a_joined_thread_gave() {
  cat >join.c <<'C'
#include <assert.h>
#include <pthread.h>
struct task { int done; } task;
void *work(void *p) { struct task *t = p; t->done = 1; return t; }
int main(void) {
  pthread_t t;
  struct task *result;
  pthread_create(&t, 0, work, &task);
  pthread_join(t, (void **)&result);
  assert(result->done != 1);
}
C
  whittle check join.c --timeout 60s
  expect_verdict 'false(unreach-call)'
  expect_out 'pthread_join.*-> result = &task$'
}

case_statics_of_several_files() {
  mkdir -p files
  cat >files/api.h <<'C'
int first(int x); int second(int x);
static inline int both(int x) { return first(x) + second(x); }
C
  cat >files/one.c <<'C'
#include "api.h"
static int state = 1;
static void bump(int by) { state += by; }
int first(int x) { bump(x); return state; }
C
  cat >files/two.c <<'C'
#include "api.h"
static int state = 100;
static void bump(int by) { state -= by; }
int second(int x) { bump(x); return state; }
C
  cat >files/main.c <<'C'
#include <assert.h>
#include "api.h"
int main(void) { assert(both(5) != 101); }
C
  cd files && whittle check main.c one.c two.c --timeout 60s --json told.json
  expect_verdict 'false(unreach-call)'
  expect_out '-> state = 95$'
  expect_out '-> bump\(by = 5\)$'
  expect_no_out 'bump\.|state\.|\./api\.h'
  grep -q '"place": "state (two.c)"' told.json || fail "the page tells both apart"
}

case_folds_follow_loops_and_recursion() {
  cat >folds.c <<'C'
#include <assert.h>
static int down(int n) {
  if (n == 0)
    return 0;
  int r = down(n - 1);
  return r + 1;
}
int main(void) {
  int a = 0, b = 0, s = 0;
  for (int i = 0; i < 20; i++) {
    s += i;
    if (i == 7)
      s++;
    if (s > 1000)
      break;
  }
  for (int i = 0; i < 9; i++) a += i; for (int j = 0; j < 7; j++) b += 2;
  int d = down(20);
  assert(d != 20 || a != 36 || b != 14 || s != 191);
}
C
  whittle check folds.c --timeout 60s
  expect_verdict 'false(unreach-call)'
  expect_out 'rounds 2 to 6 as round 1 except i and s$'
  expect_out 'rounds 10 to 19 as round 9 except i and s$'
  expect_out 'rounds 2 to 8 as round 1 except i and a$'
  expect_out 'rounds 2 to 6 as round 1 except b and j$'
  expect_out 'down calls itself 16 more times as before except n$'
  expect_out 'down returns from 17 more calls as before except r$'
}

case_structs_passed_and_returned() {
  cat >structs.c <<'C'
#include <assert.h>
#include <pthread.h>
struct big { int a[3]; char *n; };
static struct big change(int k, struct big b) { b.a[k] = -1; return b; }
struct big mk(int k) {
  struct big made;
  made.a[0] = k;
  made.n = 0;
  return made;
}
int first(struct big b) { return b.a[0]; }
void *w(void *a) { return a; }
int main(void) {
  pthread_t h;
  pthread_create(&h, 0, w, 0);
  pthread_join(h, 0);
  struct big b = {{1, 2, 3}, "x"};
  b = change(1, b);
  struct big c = mk(7);
  assert(first(mk(b.a[0])) != 1);
}
C
  whittle check structs.c --timeout 60s
  expect_verdict 'false(unreach-call)'
  expect_out 'change\(k = 1, b = \{a = \{1, 2, 3\}, n = "x"\}\)$'
  expect_out '-> b\.a\[1\] = -1$'
  expect_out '-> b = \{a = \{1, -1, 3\}, n = "x"\}$'   # and not once more as what change returns
  expect_out '-> made\.a\[0\] = 7$'
  expect_out '-> c = \{a = \{7, \?, \?\}, n = null\}$'
  expect_out '-> made\.a\[0\] = 1$'
  expect_out 'mk returns \{a = \{1, \?, \?\}, n = null\}; first\(b = \{a = \{1, \?, \?\}, n = null\}\)'
}

case_what_every_round_does_alike_varies_not() {
  cat >rounds.c <<'C'
#include <assert.h>
int main(void) {
  int n = 0;
  for (int i = 0; i < 30; i++) {
    int w = 5;
    w++;
    n += w;
  }
  assert(n != 180);
}
C
  whittle check rounds.c --timeout 60s
  expect_out 'rounds 2 to 29 as round 1 except i and n$'
}

case_inputs_inside_of_models() {
  cat >models.c <<'C'
#include <assert.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
  int (*compare)(const char *, const char *) = strcmp;
  int r = rand();
  int x, again = 0;
  while (again++ < 2)
    if (r == 17 && x == 41) assert(compare("abc", "abd") > 0);
}
C
  whittle check models.c --timeout 60s
  expect_verdict 'false(unreach-call)'
  expect_out '  r = 17 +rand  models\.c:6$'
  expect_out '  x = 41 +uninitialised x  models\.c:7$'
  expect_out ' choice in strcmp  models\.c:9$'
  expect_out 'strcmp returns -1'
}

case_races_and_locks_name_members() {
  cat >member.c <<'C'
#include <pthread.h>
#include <stdlib.h>
struct node { int count; struct node *next; };
struct { int a; struct node n[2]; } shared;
struct node *head;
void *w(void *on_heap) {
  if (on_heap) head->next = 0;
  else shared.n[1].count++;
  return 0;
}
int main(void) {
  pthread_t t;
  head = malloc(sizeof *head);
#ifdef HEAP
  pthread_create(&t, 0, w, &t);
  head->next = head;
#else
  pthread_create(&t, 0, w, 0);
  shared.n[1].count = 5;
#endif
  pthread_join(t, 0);
}
C
  whittle check member.c --property no-data-race --timeout 60s
  expect_out '^violation: data race on shared\.n\[1\]\.count: thread'
  whittle check member.c --property no-data-race --timeout 60s -- -DHEAP
  expect_out '^violation: data race on node #1\.next, allocated at member\.c:13: thread'
  cat >unlock.c <<'C'
#include <pthread.h>
struct { pthread_mutex_t a, b; } locks;
int main(void) {
  pthread_mutex_lock(&locks.a);
  pthread_mutex_unlock(&locks.b);
}
C
  whittle check unlock.c --timeout 60s
  expect_out '^violation: mutex locks\.b is unlocked by a thread that does not hold it$'
}

case_unions_lists_and_first_elements() {
  cat >few.c <<'C'
#include <assert.h>
#include <stdarg.h>
union value { int i; char *s; };
static int total(int n, ...) {
  va_list ap;
  va_start(ap, n);
  int sum = va_arg(ap, int);
  va_end(ap);
  return sum;
}
static void set(int *at) { *at = 3; }
int main(void) {
  union value v;
  int numbers[4];
  v.i = 5;
  set(numbers);
  assert(total(1, 7) != 7);
}
C
  whittle check few.c --timeout 60s
  expect_out '-> v = \{i = 5\}$|-> v\.i = 5$'
  expect_out 'set\(at = &numbers\[0\]\)$'
  expect_no_out 'offset|arg_area'
}

case_functions_that_call_each_other_are_folded() {
  cat >mutual.c <<'C'
#include <assert.h>
static int is_odd(unsigned n);
static int is_even(unsigned n) {
  if (n == 0)
    return 1;
  return is_odd(n - 1);
}
static int is_odd(unsigned n) {
  if (n == 0)
    return 0;
  return is_even(n - 1);
}
int main(void) {
  int r = is_even(40);
  {
    r += 1;
  }
  assert(r == 0);
}
C
  whittle check mutual.c --timeout 60s
  expect_verdict 'false(unreach-call)'
  expect_out 'is_even and is_odd call each other 1[0-9] more times as before except n$'
  expect_out 'is_odd and is_even return from 1[0-9] more calls as before$'
  expect_no_out '^ *[0-9]+ +\}$'
}

case_results_and_texts_are_told_once() {
  cat >once.c <<'C'
#include <assert.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
struct point { int x, y; };
struct pair { double d; long n; };
static struct point make(int x, int y) {
  struct point p = {x, y};
  return p;
}
static struct pair both(double d, long n) {
  struct pair p = {d, n};
  return p;
}
struct point global;
static void on_signal(int n) { global.x = n; }
int main(void) {
  signal(SIGTERM, exit);
  signal(SIGINT, on_signal);
  raise(SIGINT);
  struct point a = make(1, 2);
  global = make(5, 6);
  struct pair q = both(2.5, 7);
  struct pair *at = malloc(2 * sizeof *at);
  at[1] = both(0.5, 8);
  int s = make(8, 9).x;
  char *text = malloc(4);
  strcpy(text, "abc");
  text = realloc(text, 8);
  strcat(text, "def");
  uintptr_t u = (uintptr_t)&global;
  uintptr_t w = (uintptr_t)text + 1;
  assert(a.x + s + (int)q.n + (int)(u & 1) + (int)(w & 1) == 0);
}
C
  whittle check once.c --timeout 60s
  expect_verdict 'false(unreach-call)'
  expect_no_out '^inputs'
  expect_no_out 'pointer of another type'
  expect_out '-> a = \{x = 1, y = 2\}$'
  expect_out '-> global = \{x = 5, y = 6\}$'
  expect_out '-> q = \{d = 2\.5, n = 7\}$'
  expect_out '-> at\[1\] = \{d = 0\.5, n = 8\}$|pair #1\[1\] = \{d = 0\.5, n = 8\}$'
  expect_out '-> s = 8; make returns \{x = 8, y = 9\}$'
  expect_no_out 'both returns'
  expect_out 'text = "abc"$'
  expect_out 'u = [0-9]+ \(&global\)$'
  expect_out 'w = [0-9]+ \(&heap object #3\[1\]\)$'
}

case_calls_that_end_at_once_belong_to_their_caller() {
  cat >tree.c <<'C'
#include <assert.h>
#include <stdlib.h>
struct tree { int key; struct tree *left, *right; };
static struct tree *root;
static struct tree *insert(struct tree *t, int key) {
  if (!t) {
    struct tree *n = calloc(1, sizeof *n);
    n->key = key;
    return n;
  }
  t->right = insert(t->right, key);
  return t;
}
static int height(struct tree *t) {
  if (!t) return 0;
  int l = height(t->left), r = height(t->right);
  return 1 + (l > r ? l : r);
}
int main(void) {
  for (int i = 0; i < 12; i++) root = insert(root, i);
  root->key = 7;
  assert(height(root) < 12);
}
C
  whittle check tree.c --timeout 60s
  expect_verdict 'false(unreach-call)'
  expect_out 'height calls itself [0-9]+ more times as before except t$'
  expect_out 'height returns from [0-9]+ more calls as before except r$'
  expect_out '-> root->key = 7$'
  expect_no_out 'insert returns tree'
}

case_what_the_library_does_is_told_in_the_programs_words() {
  cat >callbacks.c <<'C'
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
static jmp_buf env;
static int total;
static void on_usr1(int sig) { total += sig; }
static int cmp(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static void risky(int n) {
  if (n > 1) longjmp(env, n);
  total++;
}
int main(void) {
  int v[3] = {3, 1, 2};
  pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
  qsort(v, 3, sizeof *v, cmp);
  signal(SIGUSR1, on_usr1);
  raise(SIGUSR1);
  FILE *f = fopen("x.txt", "r");
  if (f || errno != EACCES) return 0;
  int r = setjmp(env);
  if (r == 0) risky(2);
  assert(r != 2);
}
C
  whittle check callbacks.c --timeout 60s
  expect_verdict 'false(unreach-call)'
  expect_out 'PTHREAD_MUTEX_INITIALIZER;$'
  expect_out 'qsort\(v, 3, sizeof \*v, cmp\);   -> cmp\(a = &v\[1\], b = &v\[0\]\)$'
  expect_out '-> v = \{1, 2, 3\}$'
  expect_out 'raise\(SIGUSR1\);   -> on_usr1\(sig = 10\)$'
  expect_out '-> f = null, errno = EACCES$'
  expect_out 'int r = setjmp\(env\);   -> r = 0$'
  expect_out 'int r = setjmp\(env\);   -> r = 2$'
  expect_no_out '__jmpbuf|__whittle|^ *return$'
}

case_pointers_by_the_largest_thing_that_begins_there() {
  cat >pool.c <<'C'
#include <assert.h>
#include <stdint.h>
enum kind { INT, FLT, STR };
struct value { enum kind kind; union { int i; float f; const char *s; } u; };
typedef struct node { int v; struct node *_Atomic next; } node_t;
static struct value stack[2];
static node_t pool[2];
static int m[3][4];
static void push(struct value v) { stack[1] = v; }
int main(void) {
  void *x = &pool[1], *y = &pool[1].next;
  uintptr_t p = (uintptr_t)&stack[1];
  int *row = m[0], *cell = &m[1][2];
  pool[1].next = &pool[0];
  struct value v = {.kind = STR, .u.s = "abc"};
  push(v);
  v.kind = INT, v.u.i = 7;
  push(v);
  assert(x == y || p == 0 || row == cell);
}
C
  whittle check pool.c --timeout 60s
  expect_verdict 'false(unreach-call)'
  expect_out '-> x = &pool\[1\], y = &pool\[1\]\.next$'
  expect_out '-> p = [0-9]+ \(&stack\[1\]\)$'
  expect_out '-> row = &m\[0\]\[0\], cell = &m\[1\]\[2\]$'
  expect_out '-> pool\[1\]\.next = &pool\[0\]$'
  expect_out 'push\(v = \{kind = STR, u = \{s = "abc"\}\}\)$'
}

case_lanes_leave_room_for_words() {
  cat >lanes.c <<'C'
#include <pthread.h>
#include <stdlib.h>
struct stats { int hits, misses; };
static struct stats all;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static void *worker_of_odd(void *a) { (void)a; pthread_mutex_lock(&guard); all.hits = 1; pthread_mutex_unlock(&guard); return 0; }
static void *worker_of_even(void *a) {
  pthread_mutex_lock((pthread_mutex_t *)a);
  all.misses = 1;
  pthread_mutex_unlock((pthread_mutex_t *)a);
  return 0;
}
int main(void) {
  static pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;
  pthread_t t[4];
  pthread_create(&t[0], 0, worker_of_even, &guard);
  pthread_create(&t[1], 0, worker_of_odd, 0);
  pthread_create(&t[2], 0, worker_of_odd, 0);
  pthread_create(&t[3], 0, worker_of_even, &other);
  for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
}
C
  whittle check lanes.c --property no-data-race --timeout 60s
  expect_verdict 'false(no-data-race)'
  # Threads that never run have names, too; no call is broken in its middle.
  expect_out 'T0 main, T1 worker_of_even, T2 worker_of_odd, T3 worker_of_odd, T4 worker_of_even$'
  expect_out 'pthread_mutex_lock\(\(pthread_mutex_t \*\)a\);'
}
# Both objects of a copy come from one malloc: the message names the one that is too small.
case_the_right_side_of_a_copy() {
  cat >copy.c <<'C'
#include <stdlib.h>
#include <string.h>
static char *make(size_t size) { return malloc(size); }
int main(void) {
  char *small = make(2), *large = make(8);
  memset(large, 1, 8);
  memcpy(small, large, 8);
  free(small);
  free(large);
}
C
  whittle check copy.c --timeout 60s
  expect_verdict 'false(valid-deref)'
  expect_out '^violation: write of 8 bytes .*heap object #1, allocated at copy\.c:3 \(2 bytes\)'
}
