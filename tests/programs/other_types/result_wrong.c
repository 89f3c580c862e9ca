// expect: false(unreach-call) line 9
// hard-for: test explicit dpr guided merge dash
#include <assert.h>
typedef int (*Answer)(int);
static void nothing(int a) { (void)a; }
static void (*function)(int) = nothing;
int main(void) {
  int r = ((Answer)function)(1);
  assert(r == 1);
  return 0;
}
