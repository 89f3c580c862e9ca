// expect: true
// proved-by: auto
// Functions that are called through pointers of another type: more arguments than they take, a narrower one, no result.
#include <assert.h>
typedef long (*Callback)(void *, long, int);
struct entry { const char *name; void (*call)(void); };
static int seen;
static int narrow(void *p, int n) { return p ? n + 1 : n; }
static void nothing(void *p) { seen += p != 0; }
static long exact(void *p, long n, int m) { return (p != 0) + n + m; }
static struct entry table[3] = {
    {"narrow", (void (*)(void))narrow}, {"nothing", (void (*)(void))nothing}, {"exact", (void (*)(void))exact}};
int main(void) {
  int x = 0;
  assert((int)((Callback)table[0].call)(&x, 41, 7) == 42);
  ((Callback)table[1].call)(&x, 1, 2);
  assert(seen == 1);
  assert(((Callback)table[2].call)(&x, 3, 4) == 8);
  return 0;
}
