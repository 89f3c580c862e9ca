// expect: true
// time: 3
// property: unreach-call,valid-deref
#include <assert.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
  if (getenv("HOME")) assert(strlen(getenv("HOME")) <= 8);
  return 0;
}
