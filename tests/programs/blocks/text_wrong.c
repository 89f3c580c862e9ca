// The buffer has no room for the end of the text.
// expect: false(valid-deref) line 9
// property: valid-deref,valid-free,valid-memtrack
// time: 30
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
static void copy(char *to, const char *from) {
  while ((*to++ = *from++)) {
  }
}
int main(void) {
  int length = __VERIFIER_nondet_int();
  if (length < 1 || length > 1000000) return 0;
  char *text = malloc(length), *other = malloc(length - 1);
  text[length - 1] = 0;
  copy(other, text);
  free(text);
  free(other);
  return 0;
}
