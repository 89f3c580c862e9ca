// Ten characters are more than there are without the option.
// expect: false(valid-deref) line 11
// hard-for: dash
// options: --text-length 10
#include <stdlib.h>
#include <string.h>
int main(void) {
  char copy[10];
  const char *home = getenv("HOME");
  if (!home) return 0;
  strcpy(copy, home);
  return copy[0];
}
