// expect: true
#include <assert.h>
#include <regex.h>
int main(void) {
  regex_t expression;
  int n = 3;
  if (n > 4) regcomp(&expression, "a+", 0);
  assert(n == 3);
  return 0;
}
