// expect: false(valid-deref)
// hard-for: test explicit dpr guided merge dash
#include <setjmp.h>
static jmp_buf buffer;
int main(void) { longjmp(buffer, 1); }
