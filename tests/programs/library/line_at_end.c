// expect: true
// property: valid-memtrack,valid-free,valid-deref
// options: --text-length 4
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  char *line = 0;
  size_t room = 0;
  getline(&line, &room, stdin);
  free(line);
  return 0;
}
