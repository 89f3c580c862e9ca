// The month is not set, neither by the text nor before.
// expect: true
// property: valid-deref,unreach-call,no-overflow
// proved-by: auto
#define _GNU_SOURCE
#include <assert.h>
#include <time.h>
int main(void) {
  struct tm date;
  assert(strptime("1999", "%Y", &date));
  assert(date.tm_year == 99);
  return 0;
}
