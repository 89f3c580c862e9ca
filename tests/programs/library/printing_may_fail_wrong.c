// expect: false(unreach-call)
#include <assert.h>
#include <stdio.h>
int main(void) {
  FILE *file = fopen("out", "w");
  if (!file) return 1;
  fprintf(file, "%d\n", 7);
  assert(fclose(file) == 0);
  return 0;
}
