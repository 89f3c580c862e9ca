// glibc allocates a text before it finds that there is no line.
// expect: false(valid-memtrack)
// property: valid-memtrack
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  char *line = 0;
  size_t room = 0;
  if (getline(&line, &room, stdin) < 0) return 1;
  free(line);
  return 0;
}
