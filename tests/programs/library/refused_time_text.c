// expect: unknown
#define _GNU_SOURCE
#include <assert.h>
#include <time.h>
int main(void) {
  struct tm when = {0};
  assert(strptime("12:30", "%H:%M", &when) != 0);
  return 0;
}
