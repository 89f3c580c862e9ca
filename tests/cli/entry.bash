# A function as the start: its arguments are made.
functions() {
  cat >f.c <<'END'
#include <stddef.h>
struct node { int value; struct node *next; const char *name; };
int sum(const unsigned char *data, size_t len) {
  int s = 0;
  for (size_t i = 0; i < len; i++) s += data[i];
  return s;
}
int last(const unsigned char *data, size_t len) { return data[len - 1]; }
int count(struct node *list) {
  int n = 0;
  for (; list; list = list->next) n++;
  return n;
}
int second(struct node *list) { return list->next->value; }
static int length(const char *s) {
  int n = 0;
  while (s[n]) n++;
  return n;
}
int twice(int (*f)(int, void *), int x) { return f(f(x, 0) / 2, 0) / 2; }
int limit = 4, table[4];
int look(unsigned i) { return i < (unsigned)limit ? table[i] : 0; }
int helper(int *p);
int use(void) {
  int x = 3;
  int r = helper(&x);
  return 12 / (r == 0 ? x : 1);
}
END
}
case_buffer_with_its_length() {
  functions
  whittle check f.c --entry sum --buffer data=4 --length data:len --timeout 60s
  expect_verdict true
  expect_out 'data of `sum` points to an object of 0 to 4 elements'
  expect_out 'pointers of `sum` lead to objects of their own'
}
case_off_by_one() {
  functions
  whittle check f.c --entry last --buffer data=4 --length data:len --timeout 60s
  expect_verdict 'false(valid-deref)'
  local again
  again=$(sed -n 's/^replay: //p' "$work/out")
  whittle ${again#whittle }
  expect_status 10
}
case_linked_objects() {
  functions
  whittle check f.c --entry count --timeout 60s
  expect_verdict true
  whittle check f.c --entry second --timeout 60s
  expect_verdict 'false(valid-deref)'
}
# Array parameters are as long as declared; members have lengths, too.
case_declared_lengths() {
  cat >d.c <<'END'
#include <stddef.h>
#include <string.h>
#define ROWS 3
struct item { int x; };
struct items { size_t count; struct item *items; char *name; };
int last(int m[static ROWS][4]) { return m[ROWS - 1][3]; }
int beyond(int m[ROWS][4]) { return m[ROWS][0]; }
int same(int n, const int a[n], const int b[2 * n]) {
  int sum = 0;
  for (int i = 0; i < n; i++) sum |= a[i] ^ b[2 * i + 1];
  return sum;
}
int more(int n, const int a[n]) {
  int sum = 0;
  for (int i = 0; i <= n; i++) sum |= a[i];
  return sum;
}
int square(int n, int m[n][n]) { return m[n - 1][n - 1]; }
int count(struct items *p) {
  int sum = 0;
  for (size_t i = 0; i < p->count; i++) sum |= p->items[i].x;
  return sum;
}
size_t lengths(const char **names, size_t n) {
  size_t sum = 0;
  for (size_t i = 0; i < n; i++) sum += strlen(names[i]);
  return sum;
}
char ninth(struct items *p) { return strlen(p->name) > 8 ? p->name[9] : 0; }
END
  local entry
  for entry in last same 'count --buffer p.items=3 --length p->items:p->count' 'lengths --buffer names=2 --length names:n' 'ninth --string p.name=9'; do
    whittle check d.c --entry $entry --timeout 60s
    expect_verdict true
  done
  whittle check d.c --entry same --timeout 60s
  expect_out 'n of `same` is the number of elements of a, as declared'
  whittle check d.c --entry last --timeout 60s
  expect_out 'm of `last` points to an object of ROWS elements, as declared'
  for entry in beyond more 'count --buffer p.items=3' 'count --buffer p.items=3 --length p.items:p.count --null p' 'lengths --buffer names=2 --length names:n --null names[]'; do
    whittle check d.c --entry $entry --timeout 60s
    expect_verdict 'false(valid-deref)'
  done
  whittle check d.c --entry square
  expect_one_line 65 'array of arrays of variable length'
  whittle check d.c --entry count --buffer p.wrong=3
  expect_one_line 64 'have no such pointer'
  whittle check d.c --entry count --length p.items:count
  expect_status 64
}
case_null_if_allowed() {
  functions
  whittle check f.c --entry sum --buffer data=2 --timeout 60s --length data:len --null data
  expect_verdict 'false(valid-deref)'
}
case_text_of_a_static_function() {
  functions
  whittle check f.c --entry length --string s=3 --timeout 60s
  expect_verdict true
}
case_callback() {
  functions
  whittle check f.c --entry twice --timeout 60s
  expect_verdict true
  expect_out 'is a function that returns any value'
}
case_globals() {
  functions
  whittle check f.c --entry look --timeout 60s
  expect_verdict true
  whittle check f.c --entry look --any-globals --timeout 60s
  expect_verdict 'false(valid-deref)'
}
# What only the library makes is made by the library.
case_objects_of_the_library() {
  cat >l.c <<'END'
#include <dirent.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdio.h>
struct shared { pthread_mutex_t lock[2]; FILE *log; sem_t ready; int value; };
int lines(FILE *in) {
  char line[8];
  int n = 0;
  while (n < 2 && fgets(line, sizeof line, in)) n++;
  return fclose(in) == 0 ? n : -1;
}
int names(DIR *folder) {
  struct dirent *entry = readdir(folder);
  return entry ? entry->d_name[0] : 0;
}
int increment(struct shared *s) {
  sem_wait(&s->ready);
  pthread_mutex_lock(&s->lock[1]);
  s->value = 1;
  if (s->log) fputs("set", s->log);
  return pthread_mutex_unlock(&s->lock[1]);
}
int twice(pthread_mutex_t *lock) { return pthread_mutex_lock(lock) || pthread_mutex_lock(lock); }
int list(const char *format, va_list rest) { return va_arg(rest, int); }
int unnamed(struct { int x; } *p) { return p->x; }
int sign(long double x) { return x < 0 ? -1 : x > 0; }
END
  local function
  for function in lines names increment; do
    whittle check l.c --entry $function --timeout 60s
    expect_verdict true
  done
  expect_out 'each pthread_mutex_t that `increment` is given is an unlocked mutex'
  whittle check l.c --entry twice --timeout 60s
  expect_verdict 'false(no-deadlock)'
  whittle check l.c --entry sign --timeout 60s
  expect_verdict true
  expect_out 'x of `sign` is a value that a double holds'
  whittle check l.c --entry list
  expect_one_line 65 'parameter rest of `list` is a va_list'
  whittle check l.c --entry unnamed
  expect_status 65
  expect_err 'parameter p of `unnamed` has a type without a name'
}
case_harness_to_keep() {
  functions
  whittle harness sum f.c --buffer data=4 --length data:len
  expect_status 0
  cp "$work/out" harness.c
  grep -q '#include "f.c"' harness.c || fail "the source is not included"
  whittle check harness.c --timeout 60s
  expect_verdict true
}
case_stubs() {
  functions
  whittle check f.c --entry use --stub helper=zero --timeout 60s
  expect_verdict true
  expect_out 'function `helper` returns zero'
  whittle check f.c --entry use --stub helper=any --timeout 60s
  expect_verdict true
  whittle check f.c --entry use --stub helper=havoc-arguments --timeout 60s
  expect_verdict 'false(no-div-by-zero)'
  echo 'int helper(int *p) { *p = 0; return 0; }' >s.c
  whittle check f.c --entry use --stub helper=s.c --timeout 60s
  expect_verdict 'false(no-div-by-zero)'
  whittle check f.c --entry use --stub helpr=zero
  expect_one_line 64 'helper'
}
case_wrong_names() {
  functions
  whittle check f.c --entry sum --buffer dat=4
  expect_one_line 64 'data'
  whittle check f.c --entry sum --buffer len=4
  expect_one_line 64 'no pointer'
  whittle check f.c --entry sum --buffer data
  expect_one_line 64 'NAME=VALUE'
}
case_malloc_may_fail() {
  printf '#include <stdlib.h>\nint main(void) { int *p = malloc(4); *p = 1; free(p); return 0; }\n' >a.c
  whittle check a.c --timeout 60s
  expect_verdict true
  whittle check a.c --malloc-may-fail --timeout 60s
  expect_verdict 'false(valid-deref)'
}
case_spurious_wakeups() {
  cat >w.c <<'END'
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;
static void *set(void *unused) {
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, set, 0);
  pthread_mutex_lock(&m);
  if (!ready) pthread_cond_wait(&c, &m);
  assert(ready);
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}
END
  whittle check w.c --timeout 60s
  expect_verdict true
  whittle check w.c --spurious-wakeups --timeout 60s
  expect_verdict 'false(unreach-call)'
  expect_out 'spurious-wakeups'
}
# Objects of the harness are there, whatever malloc does.
case_objects_with_malloc_that_fails() {
  functions
  whittle check f.c --entry count --malloc-may-fail --timeout 60s
  expect_verdict true
}
# The walk-through of a project with a compilation database.
case_example_project() {
  cp -r "$source/examples/settings" . && cd settings || exit 1
  whittle check --project --answers answers
  expect_status 0
  expect_out '3 checks: 3 as expected, 0 not, 0 unknown, 0 not run$'
  whittle check --project --answers answers
  expect_status 0
  expect_out '\(3 kept from earlier\)'
}
case_compilation_database() {
  mkdir -p build sub/include
  echo '#define LIMIT 3' >sub/include/limit.h
  printf '#include "limit.h"\n#include <assert.h>\nint main(void) { assert(LIMIT == OTHER); return 0; }\n' >sub/a.c
  cat >build/compile_commands.json <<END
[{"directory": "$PWD/build", "file": "../sub/a.c", "arguments": ["cc", "-I", "../sub/include", "-DOTHER=3", "-c", "../sub/a.c"]}]
END
  whittle check -p build sub/a.c --timeout 60s
  expect_verdict true
  echo 'int main(void) { return 0; }' >b.c
  whittle check -p build b.c
  expect_one_line 65 'has no entry for b.c'
  # A harness beside files of the build.
  printf '#include "limit.h"\nint limit(void);\nint main(void) { return limit() == OTHER ? 0 : 10 / (LIMIT - 3); }\n' >sub/harness.c
  printf '#include "limit.h"\nint limit(void) { return LIMIT; }\n' >sub/a.c
  whittle check -p build sub/harness.c sub/a.c --timeout 60s
  expect_verdict true
  expect_err 'no entry for sub/harness.c: it gets the flags of sub/a.c'
  whittle check -p nowhere b.c
  expect_one_line 65 'no such file'
}

case_command_line_of_main() {
  cat >m.c <<'END'
#include <assert.h>
int main(int argc, char **argv) {
  assert(argc >= 1 && argc <= 3 && argv[argc] == 0);
  if (argc > 1) assert(argv[1][0] != '-' || argv[1][1] != 'x');
  return 0;
}
END
  whittle check m.c --args 0 --timeout 60s
  expect_verdict true
  expect_out 'argc is 1'
  whittle check m.c --timeout 60s
  expect_verdict 'false(unreach-call)'
  expect_out 'argv\[1\] = "-x" '
  whittle check m.c --args 2 --arg-length 1 --timeout 60s
  expect_verdict true
  whittle check m.c --args 3 --arg-length 1 --timeout 60s
  expect_verdict 'false(unreach-call)'
}
# Texts that the library reads are texts in the report.
case_inputs_are_texts() {
  cat >t.c <<'END'
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  char line[4];
  const char *mode = getenv("MODE");
  if (mode && mode[0] == 'f' && mode[1] == 0 && fgets(line, sizeof line, stdin) && line[0] == 'h' && line[1] == 'i') assert(0);
  return 0;
}
END
  whittle check t.c --timeout 60s
  expect_verdict 'false(unreach-call)'
  expect_out '"f" +getenv +t.c:6'
  expect_out '"hi" +fgets +t.c:7'
  if grep -q 'number of arguments' "$work/out"; then fail "main does not look at its arguments"; fi
}

# A text can have its length in a parameter, too.
case_texts_with_a_length() {
  cat >t.c <<'END'
#include <assert.h>
#include <stddef.h>
void ends(const char *text, size_t n) { assert(n <= 3 && text[n] == 0); }
END
  whittle check t.c --entry ends --string text=3 --length text:n --timeout 60s
  expect_verdict true
  expect_out 'text of `ends` points to a string of up to 3 characters'
  whittle check t.c --entry ends --string text=3 --buffer text=3
  expect_status 64
  expect_err 'text is given as --buffer and as --string'
}
# Traces show the lines of the harness, and what objects held when they were first read; natively, they hold it from the start.
case_harness_in_traces_and_natively() {
  cat >r.c <<'END'
struct ring { unsigned char *bytes; unsigned size, first; };
static unsigned next(const struct ring *r, unsigned i) { return i + 1 == r->size ? 0 : i + 1; }
int after_first(const struct ring *r, double scale) { return r->bytes && scale == 0.5 ? r->bytes[next(r, r->first)] : 0; }
END
  whittle check r.c --entry after_first --timeout 60s
  expect_verdict 'false(valid-deref)'
  expect_out '^ +[0-9]+ +r = malloc\(sizeof \*r\);   -> r = ring #1$'
  expect_out 'r->size = [0-9]+$|r->size = [0-9]+;'
  expect_out '^ +[0-9]+  r->first = [0-9]+ +from the caller +r\.c:3$'
  expect_out 'scale = 0\.5'
  expect_no_out '__whittle'
  expect_no_out 'malloc never fails'
  local again line
  again=$(sed -n 's/^replay: //p' "$work/out")
  line=$(sed -n 's/^ *\([0-9]*\)  r = malloc.*/\1/p' "$work/out")
  whittle harness after_first r.c
  expect_out '  r = malloc\(sizeof \*r\);'
  [ "$(grep -n ' r = malloc' "$work/out" | cut -d: -f1)" = "$line" ] || fail "line $line is another one in the harness"
  whittle ${again#whittle } --native
  expect_status 10
  expect_err 'native: the program fails: a sanitizer reports it'
  whittle check r.c --entry after_first --html r.html --timeout 60s
  grep -q 'r = malloc(sizeof \*r);' r.html || fail "the page has no harness"
}
