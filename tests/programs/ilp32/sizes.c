// expect: true
// options: --data-model ILP32
#include <assert.h>
#include <stdlib.h>
#include <string.h>
struct mixed { char c; long long wide; void *p; };
int main(void) {
  assert(sizeof(long) == 4 && sizeof(void *) == 4 && sizeof(size_t) == 4 && sizeof(long long) == 8);
  assert(sizeof(struct mixed) == 16);
  char *copy = strdup("thirty-two");
  assert(strlen(copy) == 10);
  free(copy);
  return 0;
}
