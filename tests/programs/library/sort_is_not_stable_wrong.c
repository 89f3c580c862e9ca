// expect: false(unreach-call)
#include <assert.h>
#include <stdlib.h>
struct item { int key, place; };
static int by_key(const void *a, const void *b) { return ((const struct item *)a)->key - ((const struct item *)b)->key; }
int main(void) {
  struct item items[3] = {{2, 0}, {1, 1}, {1, 2}};
  qsort(items, 3, sizeof *items, by_key);
  assert(items[0].place < items[1].place);
  return 0;
}
