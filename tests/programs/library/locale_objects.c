// expect: true
// Functions that take a locale, and the header's macros that look into it.
#define _GNU_SOURCE
#include <assert.h>
#include <ctype.h>
#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

char __VERIFIER_nondet_char(void);
int main(void) {
  locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  unsigned char any = (unsigned char)__VERIFIER_nondet_char();
  assert(c && !isalpha_l(any, c) == !isalpha(any) && toupper_l(any, c) == toupper(any));
  assert(strcasecmp_l("Abc", "aBC", c) == 0 && strtol_l("12", NULL, 10, c) == 12 && strtod_l("0.5", NULL, c) == 0.5);
  assert(uselocale((locale_t)0) == LC_GLOBAL_LOCALE && uselocale(c) == LC_GLOBAL_LOCALE && uselocale((locale_t)0) == c);
  assert(strcmp(nl_langinfo(RADIXCHAR), ".") == 0);
  uselocale(LC_GLOBAL_LOCALE);
  freelocale(c);
  return 0;
}
