// expect: false(valid-deref)
// property: valid-deref
#define _GNU_SOURCE
#include <string.h>
int main(void) {
  char text[8];
  return strerror_r(12345, text, 40)[0];
}
