// expect: false(valid-deref)
// property: valid-deref
#include <regex.h>
int main(void) {
  regex_t pattern;
  regmatch_t match[2];
  const char *text = "key";
  if (regcomp(&pattern, "k(x)?", REG_EXTENDED) != 0) return 1;
  char c = 0;
  if (regexec(&pattern, text, 2, match, 0) == 0) c = text[match[1].rm_so];
  regfree(&pattern);
  return c;
}
