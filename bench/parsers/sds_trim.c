// sds: N characters trimmed, split and joined again.
// source: antirez/sds
// unwind: N+2
// sizes: 2 6
#include <assert.h>
#include "sds.c"
extern char __VERIFIER_nondet_char(void);
int main(void) {
  char text[N];
  for (int i = 0; i < N; i++) text[i] = __VERIFIER_nondet_char();
  sds s = sdsnewlen(text, N);
  s = sdstrim(s, " ");
  assert(sdslen(s) <= N);
  s = sdscatlen(s, "x", 1);
  assert(s[sdslen(s) - 1] == 'x' && s[sdslen(s)] == 0);
  sdsfree(s);
  return 0;
}
