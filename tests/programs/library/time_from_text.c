// expect: true
// proved-by: auto
#define _GNU_SOURCE
#include <assert.h>
#include <time.h>
int main(void) {
  struct tm when = {0};
  const char *text = "Thu 29 Feb 2024 12:30 rest";
  char *end = strptime(text, "%a %d %b %Y %H:%M", &when);
  assert(end == text + 21 && when.tm_year == 124 && when.tm_mon == 1 && when.tm_wday == 4 && when.tm_yday == 59);
  assert(strptime("25:00", "%H:%M", &when) == 0);
  return 0;
}
