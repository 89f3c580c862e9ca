// expect: false(unreach-call)
// What a pattern means is not followed: a match may be anywhere.
#include <assert.h>
#include <regex.h>
int main(void) {
  regex_t expression;
  regmatch_t match[1];
  if (regcomp(&expression, "a+", 0) == 0 && regexec(&expression, "aa", 1, match, 0) == 0) assert(match[0].rm_so == 0);
  return 0;
}
