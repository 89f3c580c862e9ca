# Values in traces: characters of any width, bit-fields, members of unions, structs that are built for a caller.

case_characters_of_any_width() {
  cat >wide.c <<'C'
#include <assert.h>
#include <stdlib.h>
#include <uchar.h>
#include <wchar.h>
typedef char letter;
typedef struct { wchar_t name[6]; } W;
static wchar_t first(const wchar_t *s) { return s[0]; }
int main(void) {
  W w;
  w.name[0] = L'h';
  w.name[1] = L'\u00e4';
  w.name[2] = 0;
  wchar_t c = first(w.name);
  const wchar_t *lit = L"wide";
  wchar_t buf[8] = L"xyz";
  wcscpy(buf, L"n\u00e9w");
  wchar_t *h = malloc(5 * sizeof *h);
  h[0] = L'q';
  h[1] = L'\n';
  char16_t u16 = u'z';
  char32_t u32 = U'\U0001F600';
  signed char sc = 'a';
  char nl = '\n', quote = '\'', zero = 0;
  letter l = 'l';
  free(h);
  assert(c != L'h');
}
C
  whittle check wide.c --timeout 60s
  expect_verdict 'false(unreach-call)'
  expect_out "-> w\\.name\\[0\\] = L'h'\$"
  expect_out "-> w\\.name\\[1\\] = L'\\\\u00e4'\$"
  expect_out "-> c = L'h'\$"
  expect_out '-> lit = L"wide"$'
  expect_out '-> buf = L"xyz"$'
  expect_out '-> buf = L"n\\u00e9w"$'
  expect_out "-> h\\[0\\] = L'q'\$"
  expect_out "-> h\\[1\\] = L'\\\\n'\$"
  expect_out "-> u16 = u'z'\$"
  expect_out "-> u32 = U'\\\\U0001f600'\$"
  expect_out '-> sc = 97$'
  expect_out "-> nl = '\\\\n', quote = '\\\\'', zero = 0\$"
  expect_out "-> l = 'l'\$"
}

case_bit_fields_one_by_one() {
  cat >bits.c <<'C'
#include <assert.h>
enum mode { OFF, IDLE = 4, BUSY };
struct flags { unsigned ready : 1; signed level : 5; enum mode m : 4; unsigned long long wide : 40; };
struct flags f, g;
int main(void) {
  struct flags *p = &f;
  p->ready = 1;
  p->level = -3;
  p->m = BUSY;
  p->wide = 0x123456789aULL;
  g.level = 0;
  g = f;
  assert(g.level != -3);
}
C
  whittle check bits.c --timeout 60s
  expect_verdict 'false(unreach-call)'
  expect_out '-> p->ready = 1$'
  expect_out '-> p->level = -3$'
  expect_out '-> p->m = BUSY$'
  expect_out '-> p->wide = 78187493530$'
  expect_out '-> g\.level = 0$'
  expect_out '-> g = \{ready = 1, level = -3, m = BUSY, wide = 78187493530\}$'
}

case_members_of_unions_as_they_are_meant() {
  cat >unions.c <<'C'
#include <assert.h>
typedef enum { INT, STR, REAL } tag;
typedef struct { tag kind; union { long i; const char *s; struct { short a, b; } pair; double d; } as; } value;
union number { int i; float f; } n;
static value of_int(long i) {
  value v = {INT, {.i = i}};
  return v;
}
int main(void) {
  value v = of_int(42);
  v.as.d = 0.1;
  v.as.i = 7;
  v.as.pair.b = -2;
  v.as.s = "abc";
  n.f = 0.5f;
  n.i = 1056964608;
  assert(n.i == 3);
}
C
  whittle check unions.c --timeout 60s
  expect_verdict 'false(unreach-call)'
  expect_out 'v\.kind = INT, v\.as\.i = 42$'
  expect_out '-> v\.as\.d = 0\.1$'
  expect_out '-> v\.as\.i = 7$'
  expect_out '-> v\.as\.pair\.b = -2$'
  expect_out '-> v\.as\.s = "abc"$'
  expect_out '-> n\.f = 0\.5$'
  expect_out '-> n\.i = 1056964608$'
}

case_structs_without_a_name() {
  cat >literal.c <<'C'
#include <assert.h>
struct point { int x, y; };
struct line { struct point from, to; long kind; };
struct point at;
static struct line make(int x) {
  struct line l;
  l.from.x = x;
  l.from.y = 0;
  l.to = l.from;
  l.kind = 1;
  return l;
}
static int length(struct line l) { return l.to.x - l.from.x; }
int main(void) {
  at = (struct point){5, -6};
  struct point *p = &(struct point){7, 8};
  struct line all[2] = {make(1), make(2)};
  int n = length((struct line){{1, 2}, {4, 4}, 0});
  assert(n + p->x + all[1].to.x + at.x != 17);
}
C
  whittle check literal.c --timeout 60s
  expect_verdict 'false(unreach-call)'
  expect_out '-> at = \{x = 5, y = -6\}$'
  expect_out 'compound literal = \{x = 7, y = 8\}, p = &compound literal$'
  expect_out '-> l\.from\.x = 1$'
  expect_out '-> l\.to = \{x = 2, y = 0\}$'
  expect_out 'all\[1\] = \{from = \{x = 2, y = 0\}, to = \{x = 2, y = 0\}, kind = 1\}$'
  expect_out 'length\(l = \{from = \{x = 1, y = 2\}, to = \{x = 4, y = 4\}, kind = 0\}\)$'
  expect_no_out 'bytes [0-9]+ to|all\[0\]\.from'
}

case_what_is_left_by_longjmp_returns_nothing() {
  cat >jump.c <<'C'
#include <assert.h>
#include <setjmp.h>
static jmp_buf env;
static int parse(const char *s) {
  if (*s == 'x') longjmp(env, 3);
  return *s - '0';
}
int main(void) {
  int r = setjmp(env);
  if (r == 0) {
    int a = parse("4");
    a += parse("x");
  }
  assert(r != 3);
}
C
  whittle check jump.c --timeout 60s
  expect_verdict 'false(unreach-call)'
  expect_out '-> a = 4$'
  expect_no_out 'parse returns'
}

case_what_the_library_keeps_is_its_own() {
  cat >file.c <<'C'
#include <assert.h>
#include <stdio.h>
int main(void) {
  FILE *f = fopen("x", "r");
  assert(!f);
}
C
  whittle check file.c --timeout 60s
  expect_verdict 'false(unreach-call)'
  expect_out '-> f = FILE #1$'
  expect_no_out '_flags'
}

case_rounds_say_everything_that_differs() {
  cat >rounds.c <<'C'
#include <assert.h>
struct ring { int head; int items[8]; } ring;
int a[100], once[4], p, q, r, s, t, u, v, w, x;
int main(void) {
  for (int i = 0; i < 100; i++) {
    a[i] = i;
    ring.items[ring.head % 8] = i;
    ring.head++;
    once[2] = 5;
  }
  for (int i = 0; i < 50; i++) {
    p = q = r = s = i;
    t = u = v = w = i;
    x = i;
  }
  assert(a[9] == 3);
}
C
  whittle check rounds.c --timeout 60s
  expect_verdict 'false(unreach-call)'
  expect_out 'except i, a\[\.\.\], ring\.items\[\.\.\] and ring\.head$'
  expect_out ' and others$'
}

case_scanf_that_meets_the_end_or_not() {
  cat >end.c <<'C'
#include <assert.h>
#include <stdio.h>
int main(void) {
  int n = 0;
  if (scanf("%d", &n) == 1) assert(EXPECTED);
  return 0;
}
C
  local expected
  for expected in '!feof(stdin)' 'feof(stdin)'; do
    whittle check end.c -D "EXPECTED=$expected" --counterexample end.cex --timeout 60s
    expect_verdict 'false(unreach-call)'
    whittle run end.c -D "EXPECTED=$expected" --counterexample end.cex --native
    expect_status 10
  done
}

case_objects_by_number_in_violations() {
  cat >before.c <<'C'
#include <stdlib.h>
int main(void) {
  char *first = malloc(3), *second = malloc(5);
  second[-1] = 'x';
  free(first);
  free(second);
}
C
  whittle check before.c --timeout 60s
  expect_verdict 'false(valid-deref)'
  expect_out 'write of 1 byte 1 byte before heap object #2, allocated at before\.c:3 \(5 bytes\)$'
}

case_objects_that_are_inputs() {
  cat >packet.c <<'C'
#include <klee/klee.h>
#include <assert.h>
struct packet { int type; unsigned short len; char text[2]; };
struct pair { int x, y, z; };
int main(void) {
  struct packet p;
  struct pair one;
  char line[20];
  klee_make_symbolic(&p, sizeof p, "packet");
  klee_make_symbolic(&one, sizeof one, "pair");
  klee_make_symbolic(line, sizeof line, "line");
  klee_assume(p.text[0] == 'h' && p.text[1] == 'i' && p.type == -3 && p.len == 2);
  klee_assume(line[0] == 'o' && line[1] == 'k' && line[2] == 0);
  assert(!(one.x == 0 && one.y == -7 && one.z == 1));
}
C
  whittle check packet.c --timeout 60s --json packet.json
  expect_verdict 'false(unreach-call)'
  expect_out '1  p = \{type = -3, len = 2, text = "hi"\} packet  packet.c:9$'
  expect_out '2  one = \{x = 0, y = -7, z = 1\} pair  packet.c:10$'
  expect_out '14  line = "ok"  *line  packet.c:11$'
  # Told once, at the line of the call.
  expect_out '-> p = \{type = -3, len = 2, text = "hi"\}$'
  expect_out '-> one = \{x = 0, y = -7, z = 1\}$'
  expect_out '-> line = "ok"$'
  expect_no_out 'byte 1 of|rounds'
  grep -q '"inputs": 12' packet.json || fail "no whole in JSON"
}

case_pointers_in_unions() {
  cat >variant.c <<'C'
#include <assert.h>
enum kind { TEXT, LINK };
struct value { enum kind k; union { const char *s; struct value *p; } u; };
struct value a, b;
int main(void) {
  a = (struct value){TEXT, {.s = "abc"}};
  b = (struct value){.k = LINK, .u.p = &a};
  void *v = "def";
  assert(b.u.p->u.s[0] != 'a' || !v);
}
C
  whittle check variant.c --timeout 60s
  expect_verdict 'false(unreach-call)'
  expect_out '-> a = \{k = TEXT, u = \{s = "abc"\}\}$'
  expect_out '-> b = \{k = LINK, u = \{p = &a\}\}$'
  expect_out '-> v = "def"$'
  expect_no_out '\.str|\.compoundliteral'
}

case_what_an_interrupted_line_has_read() {
  cat >counter.c <<'C'
#include <assert.h>
#include <pthread.h>
struct queue { int length; } q;
static void *add(void *a) {
  struct queue *p = a;
  p->length++;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, add, &q);
  add(&q);
  pthread_join(t, 0);
  assert(q.length == 2);
}
C
  whittle check counter.c --timeout 60s
  expect_verdict 'false(unreach-call)'
  expect_out 'p->length\+\+;   -> reads p->length = 0$'
}

case_rounds_of_a_loop_that_begins_a_call() {
  cat >upper.c <<'C'
#include <assert.h>
#include <stdlib.h>
static void fill(char *s, char with) {
  for (; *s; s++) *s = with;
}
int main(void) {
  char *text = calloc(4, 1);
  text[0] = text[1] = text[2] = 'a';
  fill(text, 'x');
  assert(text[0] != 'x');
}
C
  whittle check upper.c --timeout 60s
  expect_verdict 'false(unreach-call)'
  expect_out "for \\(; \\*s; s\\+\\+\\) \\*s = with;   -> s\\[0\\] = 'x', s = &heap object #1\\[1\\]\$"
  expect_out "for \\(; \\*s; s\\+\\+\\) \\*s = with;   -> \\*s = 'x', s = &heap object #1\\[2\\]\$"
}

case_choices_of_models_have_no_name_of_a_variable() {
  cat >read.c <<'C'
#include <assert.h>
#include <fcntl.h>
#include <unistd.h>
int main(void) {
  char c;
  int fd = open("f", O_RDONLY);
  if (fd < 0) return 0;
  ssize_t k = read(fd, &c, 1);
  assert(k >= 0);
}
C
  whittle check read.c --timeout 60s
  expect_verdict 'false(unreach-call)'
  expect_out '-> k = -1, errno = '
  expect_out ' 1 +choice in read  read.c:8$'
}

case_objects_are_told_whole_where_they_begin() {
  cat >whole.c <<'C'
#include <assert.h>
struct shape { int kind; union { struct { float r; }; struct { int w, h; }; }; const char *label; };
struct point { int x, y; struct { char c[3]; double d; } in; };
int four(void) { return 4; }
int main(void) {
  struct shape s[2] = {{.kind = 1, .r = 2.5f, .label = "disc"}, {.kind = 2, .w = 3, .h = 4, .label = "box"}};
  int n = four();
  struct point p = {.x = n, .in = {"ab", 2.5}};
  int a[4] = {n, 0, n + 1};
  struct point q[2] = {{.y = 3}, p};
  p.x = 3, p.y = 1;
  a[3] = 9;
  assert(s[1].w + p.x + a[3] + q[0].y != 18);
}
C
  whittle check whole.c --timeout 60s
  expect_verdict 'false(unreach-call)'
  expect_out '-> s = \{\{kind = 1, r = 2.5, label = "disc"\}, \{kind = 2, w = 3, h = 4, label = "box"\}\}$'
  expect_out '-> p = \{x = 4, y = 0, in = \{c = "ab", d = 2.5\}\}$'
  expect_out '-> a = \{4, 0, 5, 0\}$'
  expect_out '-> q = \{\{x = 0, y = 3, in = \{c = "", d = 0\}\}, \{x = 4, y = 0, in = \{c = "ab", d = 2.5\}\}\}$'
  expect_out '-> p\.x = 3, p\.y = 1$'
  expect_out '-> a\[3\] = 9$'
  # What the failing line has read.
  expect_out '-> reads s\[1\]\.w = 3, p\.x = 3, a\[3\] = 9, q\[0\]\.y = 3$'
}

case_a_jump_returns_from_no_call() {
  cat >jump.c <<'C'
#include <assert.h>
#include <setjmp.h>
static jmp_buf back;
static void deeper(int n) {
  if (n == 2) longjmp(back, n);
  deeper(n + 1);
}
int main(void) {
  int code = setjmp(back);
  if (code == 0) deeper(0);
  assert(code != 2);
}
C
  whittle check jump.c --timeout 60s
  expect_verdict 'false(unreach-call)'
  expect_out '-> code = 2$'
  [ "$(grep -c 'deeper(n + 1);' "$work/out")" = 2 ] || fail "calls that a jump has left are told again"
}

case_texts_of_the_library() {
  cat >home.c <<'C'
#include <assert.h>
#include <stdlib.h>
int main(void) {
  const char *home = getenv("HOME");
  assert(!home || home[0] != 'x');
}
C
  whittle check home.c --timeout 60s
  expect_verdict 'false(unreach-call)'
  expect_out '-> home = "x'
  expect_no_out 'variables\['
}

case_what_only_the_library_knows() {
  cat >known.c <<'C'
#include <assert.h>
#include <dirent.h>
#include <stdlib.h>
struct word { int value; } __attribute__((packed));
int main(void) {
  srand(1);
  int a = rand();
  srand(1);
  int b = rand();
  char buffer[8] = "abcdefg";
  struct word *p = (struct word *)(buffer + 2);
  const char *home = getenv("HOME");
  DIR *folder = opendir(".");
  int fd = folder ? dirfd(folder) : -1;
  assert(!home || fd < 0 || a != b || p->value == 7);
}
C
  whittle check known.c --timeout 60s
  expect_verdict 'false(unreach-call)'
  expect_out '-> p = &buffer\[2\]$'
  expect_out '  (a|1) .*rand  known.c:7$|a = [0-9]+ +rand  known.c:7$'
  expect_no_out '__whittle|variables\[|bytes [0-9]+ to'
}
