// expect: true
// time: 2
// property: memory-safety,unreach-call
#include <assert.h>
#include <regex.h>
int main(void) {
  regex_t pattern;
  regmatch_t match[2];
  const char *text = "key=value";
  if (regcomp(&pattern, "=(.*)", REG_EXTENDED) != 0) return 1;
  if (regexec(&pattern, text, 2, match, 0) == 0) {
    assert(0 <= match[0].rm_so && match[0].rm_so <= match[0].rm_eo && match[0].rm_eo <= 9);
    if (match[1].rm_so >= 0) assert(match[0].rm_so <= match[1].rm_so && match[1].rm_eo <= match[0].rm_eo);
  }
  regfree(&pattern);
}
