// expect: false(valid-deref)
// hard-for: test explicit dpr guided merge dash
// The function that called setjmp has returned.
#include <setjmp.h>
static jmp_buf buffer;
static int mark(void) { return setjmp(buffer); }
int main(void) {
  if (mark() == 0) longjmp(buffer, 1);
  return 0;
}
