// expect: true
// proved-by: auto
#include <assert.h>
#include <setjmp.h>
static jmp_buf buffer;
static int depth;
static void deep(int n) {
  depth++;
  if (n == 0) longjmp(buffer, 42);
  deep(n - 1);
  assert(0);
}
int main(void) {
  volatile int rounds = 0;
  int r = setjmp(buffer);
  rounds++;
  if (r == 0) deep(3);
  assert(r == 42 && depth == 4 && rounds == 2);
  switch (setjmp(buffer)) {
    case 0: longjmp(buffer, 0);
    case 1: break;
    default: assert(0);
  }
  return 0;
}
