// A text is copied into a buffer that is as long.
// expect: true
// proved-by: shape auto
// property: valid-deref,valid-free,valid-memtrack
#include <stdlib.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
static void copy(char *to, const char *from) {
  while ((*to++ = *from++)) {
  }
}
int main(void) {
  int length = __VERIFIER_nondet_uchar();
  if (length < 1 || length > 4) return 0;
  char *text = malloc(length), *other = malloc(length);
  text[length - 1] = 0;
  copy(other, text);
  free(text);
  free(other);
  return 0;
}
