// expect: false(valid-memtrack) line 8
// hard-for: explicit dpr
// property: memory-safety
// The early return forgets the buffer.
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
static int process(int n) {
  char *buffer = malloc(16);
  if (n < 0) return -1;
  buffer[0] = (char)n;
  free(buffer);
  return 0;
}
int main(void) {
  process(__VERIFIER_nondet_int());
  return 0;
}
