// cJSON: minifying a string of at most N characters makes it no longer.
// source: DaveGamble/cJSON
// unwind: N+2
// sizes: 5 10
#include <assert.h>
#include "cJSON.c"
extern char __VERIFIER_nondet_char(void);
int main(void) {
  char text[N + 1];
  for (int i = 0; i < N; i++) text[i] = __VERIFIER_nondet_char();
  text[N] = 0;
  size_t before = strlen(text);
  cJSON_Minify(text);
  assert(strlen(text) <= before);
  return 0;
}
