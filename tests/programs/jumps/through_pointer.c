// expect: true
// proved-by: auto
// The jump leaves a function that a pointer leads to, and a model that calls it.
#include <assert.h>
#include <setjmp.h>
#include <stdlib.h>
static jmp_buf buffer;
static int compare(const void *a, const void *b) {
  if (*(const int *)a == *(const int *)b) longjmp(buffer, 3);
  return *(const int *)a < *(const int *)b ? -1 : 1;
}
int main(void) {
  int numbers[3] = {2, 5, 5};
  int r = setjmp(buffer);
  if (r == 0) {
    qsort(numbers, 3, sizeof numbers[0], compare);
    assert(0);
  }
  assert(r == 3);
  return 0;
}
