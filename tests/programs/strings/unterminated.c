// expect: false(valid-deref) line 6
#include <string.h>
int main(void) {
  char buffer[4];
  strncpy(buffer, "hello", sizeof buffer);
  return (int)strlen(buffer);
}
