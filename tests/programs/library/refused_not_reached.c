// expect: true
#include <assert.h>
#include <wordexp.h>
int main(void) {
  wordexp_t words;
  int n = 3;
  if (n > 4) wordexp("a b", &words, 0);
  assert(n == 3);
  return 0;
}
