// expect: true
// property: memory-safety
#include <assert.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
  char *copy = strdup("whittle");
  char *part = strndup(copy, 4);
  assert(strcmp(part, "whit") == 0 && copy != part);
  free(copy);
  free(part);
  return 0;
}
