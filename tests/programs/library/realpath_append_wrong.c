// What realpath allocates has room for the name alone.
// expect: false(valid-deref) line 9
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
int main(void) {
  char *name = realpath("/usr/bin", 0);
  if (!name) return 0;
  strcat(name, "/file");
  free(name);
  return 0;
}
