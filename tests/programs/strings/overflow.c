// expect: false(valid-deref) line 6
// The classic: no room for the terminating zero.
#include <string.h>
int main(void) {
  char buffer[5];
  strcpy(buffer, "hello");
  return buffer[0];
}
