// expect: false(unreach-call)
#include <assert.h>
#include <stdio.h>
int main(void) {
  char line[4];
  if (fgets(line, sizeof line, stdin)) assert(!feof(stdin));
  return 0;
}
