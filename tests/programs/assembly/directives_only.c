// expect: true
// proved-by: auto
// Directives for the linker outside of functions mean nothing here.
#include <assert.h>
__asm__(".ident \"by hand\"\n.section .note.GNU-stack,\"\",@progbits\n");
int main(void) {
  int x = 1;
  assert(x == 1);
  return 0;
}
