// A message may be longer than a few characters.
// expect: false(valid-deref) line 9
#include <regex.h>
#include <string.h>
int main(void) {
  regex_t pattern;
  char message[64], small[8];
  regerror(regcomp(&pattern, "(", REG_EXTENDED), &pattern, message, sizeof message);
  strcpy(small, message);
  return 0;
}
