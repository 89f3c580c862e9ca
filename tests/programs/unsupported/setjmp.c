// expect: unknown
#include <setjmp.h>
static jmp_buf buffer;
int main(void) {
  if (setjmp(buffer)) return 1;
  longjmp(buffer, 1);
}
