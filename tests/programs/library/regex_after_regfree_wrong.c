// expect: false(valid-deref) line 8
#include <regex.h>
#include <stdlib.h>
int main(void) {
  regex_t pattern;
  if (regcomp(&pattern, "a+", REG_EXTENDED)) return 1;
  regfree(&pattern);
  return regexec(&pattern, "aa", 0, 0, 0);
}
