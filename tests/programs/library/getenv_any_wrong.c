// expect: false(valid-deref)
// property: unreach-call,valid-deref
#include <stdlib.h>
#include <string.h>
int main(void) {
  setenv("OTHER", "1", 1);
  return strlen(getenv("HOME")) > 3;
}
