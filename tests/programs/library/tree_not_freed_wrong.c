// expect: false(valid-memtrack)
// property: valid-memtrack
// Nodes of trees are on the heap.
#include <search.h>
#include <stddef.h>
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void) {
  int key = 1;
  void *root = NULL;
  tsearch(&key, &root, compare);
  root = NULL;
  return 0;
}
