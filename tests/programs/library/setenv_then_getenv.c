// expect: true
#include <assert.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
  static char text[] = "COLOUR=red";
  assert(setenv("SIZE", "12", 1) == 0);
  assert(strcmp(getenv("SIZE"), "12") == 0);
  setenv("SIZE", "13", 0);
  assert(atoi(getenv("SIZE")) == 12);
  assert(putenv(text) == 0 && getenv("COLOUR") == text + 7);
  assert(unsetenv("SIZE") == 0 && getenv("SIZE") == 0);
  assert(setenv("", "x", 1) == -1 && setenv("a=b", "x", 1) == -1);
  return 0;
}
