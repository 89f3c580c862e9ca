// An off-by-one in string handling.
//
//   whittle check examples/trim.c
//
// The text is any string of up to five characters: `__VERIFIER_nondet_char` stands for "any char". whittle looks for one
// for which something goes wrong, and finds the empty text, for which `end` points before the buffer from the start.
//
// expect: false(valid-deref) line 17
#include <ctype.h>
#include <string.h>

char __VERIFIER_nondet_char(void);

/// Cuts blanks off the end.
static void trim(char *text) {
  char *end = text + strlen(text) - 1;
  while (isspace((unsigned char)*end)) end--;
  end[1] = 0;
}

int main(void) {
  char text[6];
  for (int i = 0; i < 5; i++) text[i] = __VERIFIER_nondet_char();
  text[5] = 0;
  trim(text);
  return 0;
}
