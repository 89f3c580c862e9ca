// expect: false(valid-memtrack)
// property: valid-memtrack
#define _GNU_SOURCE
#include <stdio.h>
static void print(void) {
  char *text;
  size_t size;
  FILE *file = open_memstream(&text, &size);
  if (!file) return;
  fputs("a", file);
  fclose(file);
}
int main(void) {
  print();
  return 0;
}
