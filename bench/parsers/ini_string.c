// inih: a string of at most N characters is parsed without leaving any buffer.
// source: benhoyt/inih
// unwind: N+2
// sizes: 2 6
#include "ini.c"
extern char __VERIFIER_nondet_char(void);
static int handler(void *user, const char *section, const char *name, const char *value) {
  ++*(int *)user;
  return section != 0 && name != 0 && (value == 0 || value[0] != 1);
}
int main(void) {
  char text[N + 1];
  for (int i = 0; i < N; i++) text[i] = __VERIFIER_nondet_char();
  text[N] = 0;
  int calls = 0;
  return ini_parse_string(text, handler, &calls) < -2;
}
