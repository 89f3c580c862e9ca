// expect: false(valid-deref) line 20
// hard-for: test explicit dpr guided merge dash
// What lived on the stack of functions that were left is gone.
#include <setjmp.h>
static jmp_buf buffer;
static int *kept;
static void inner(int *p) {
  (void)p;
  longjmp(buffer, 1);
}
static void outer(void) {
  int x[2] = {1, 2};
  kept = x;
  inner(x);
}
int main(void) {
  int sum = 0;
  if (setjmp(buffer) == 0) outer();
  sum++;
  return sum + *kept;
}
