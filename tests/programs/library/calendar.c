// expect: true
// proved-by: explicit
#include <assert.h>
#include <string.h>
#include <time.h>
int main(void) {
  time_t t = 951782400;  // a leap day of the century
  struct tm date;
  char text[40];
  assert(gmtime_r(&t, &date) == &date);
  assert(date.tm_year == 100 && date.tm_mon == 1 && date.tm_mday == 29 && date.tm_wday == 2 && date.tm_yday == 59);
  assert(strftime(text, sizeof text, "%F %T %j", &date) == 23 && strcmp(text, "2000-02-29 00:00:00 060") == 0);
  assert(mktime(&date) == t);
  assert(strcmp(asctime(&date), "Tue Feb 29 00:00:00 2000\n") == 0);
  return 0;
}
