// expect: false(valid-memcleanup)
// property: valid-memcleanup
#include <regex.h>
int main(void) {
  regex_t pattern;
  regcomp(&pattern, "a+", REG_EXTENDED);
  return 0;
}
