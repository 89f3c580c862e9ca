// expect: true
#include <assert.h>
#include <stdio.h>
#include <string.h>
int main(void) {
  char line[4];
  if (!fgets(line, sizeof line, stdin)) return 0;
  if (!feof(stdin)) assert(strchr(line, '\n') || memchr(line, 0, 3) || strlen(line) == 3);
  return 0;
}
