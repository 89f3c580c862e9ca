// expect: true
// time: 3
#include <assert.h>
#include <string.h>
#include <time.h>
int main(void) {
  time_t t = time(0);
  struct tm *now = localtime(&t);
  assert(now->tm_hour >= 0 && now->tm_hour < 24 && now->tm_mon < 12 && now->tm_mday >= 1);
  return 0;
}
