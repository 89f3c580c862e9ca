// expect: true
// proved-by: auto
#include <assert.h>
#include <stdlib.h>
struct item { int key, place; };
static int by_key(const void *a, const void *b) { return ((const struct item *)a)->key - ((const struct item *)b)->key; }
int main(void) {
  struct item items[4] = {{2, 0}, {1, 1}, {1, 2}, {0, 3}};
  qsort(items, 4, sizeof *items, by_key);
  assert(items[0].place == 3 && items[3].place == 0);
  assert(items[1].place + items[2].place == 3);
  return 0;
}
