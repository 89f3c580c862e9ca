// expect: true
// time: 2
// property: memory-safety,unreach-call
#define _GNU_SOURCE
#include <assert.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
  char *name = realpath(".", 0);
  if (!name) return 1;
  assert(name[0] == '/');
  free(name);
  assert(strverscmp("a9", "a10") < 0 && strverscmp("a010", "a09") < 0 && strverscmp("00", "0") < 0);
}
