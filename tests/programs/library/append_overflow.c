// expect: false(valid-deref)
#include <string.h>
int main(void) {
  char b[4] = "ab";
  strncat(b, "xyz", 2);
  return 0;
}
