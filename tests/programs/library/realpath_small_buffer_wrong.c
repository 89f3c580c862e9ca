// The buffer must have room for PATH_MAX bytes.
// expect: false(valid-deref) line 7
#define _GNU_SOURCE
#include <stdlib.h>
int main(void) {
  char name[256];
  return realpath(".", name) != 0;
}
