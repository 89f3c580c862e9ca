// expect: true
#include <assert.h>
#include <ctype.h>
unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  int c = __VERIFIER_nondet_uchar();
  assert(!isdigit(c) || isalnum(c));
  assert(!isupper(c) || (isalpha(c) && tolower(c) == c + 32));
  assert(!(isspace(c) && isgraph(c)));
  assert((isxdigit)(c) || !(isdigit)(c));
  assert(toupper('q') == 'Q' && isprint(' ') && ispunct('!'));
  return 0;
}
