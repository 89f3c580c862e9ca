// The buffer has no room for the end of the text.
// expect: false(valid-deref)
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
  char *text = malloc(length), *other = malloc(length - 1);
  text[length - 1] = 0;
  copy(other, text);
  free(text);
  free(other);
  return 0;
}
