// Which object a pointer points into, and where in it.
// expect: true
// proved-by: explicit guided
#include <stdlib.h>
int table[4];
struct pair {
  char first;
  int second;
} pair;
int main(void) {
  int *p = table + 2;
  assert(__CPROVER_POINTER_OFFSET(p) == 8);
  assert(__CPROVER_POINTER_OFFSET(&pair.second) == 4);
  assert(__CPROVER_same_object(p, table) && !__CPROVER_same_object(p, &pair));
  assert(__CPROVER_POINTER_OBJECT(p) == __CPROVER_POINTER_OBJECT(table + 4));
  assert(__CPROVER_r_ok(p, 8) && !__CPROVER_r_ok(p, 9) && __CPROVER_w_ok(table, 16) && !__CPROVER_rw_ok(0, 1));
  char *heap = malloc(10);
  assert(__CPROVER_POINTER_OFFSET(heap + 3) == 3 && __CPROVER_w_ok(heap + 3, 7) && !__CPROVER_w_ok(heap + 3, 8));
  char *inside = heap + 3;
  free(heap);
  assert(!__CPROVER_r_ok(inside, 1));
  return 0;
}
