// expect: true
#include <assert.h>
#include <stdio.h>
#include <string.h>
int main(void) {
  char line[6];
  if (!fgets(line, sizeof line, stdin)) return 0;
  assert(strlen(line) < sizeof line);
  return 0;
}
