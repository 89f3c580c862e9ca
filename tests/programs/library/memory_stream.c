// expect: true
// proved-by: auto
// property: unreach-call,valid-deref,valid-free,valid-memtrack
#define _GNU_SOURCE
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char *text = 0;
  size_t size = 0;
  FILE *file = open_memstream(&text, &size);
  if (!file) return 1;
  fprintf(file, "%d-%s", 12, "ab");
  fputc('!', file);
  fflush(file);
  assert(size == 6 && strcmp(text, "12-ab!") == 0);
  fputs("0123456789012345678901234567890123456789", file);
  fwrite("xyz", 1, 2, file);
  fclose(file);
  assert(size == 48 && strcmp(text + 45, "9xy") == 0);
  free(text);
  return 0;
}
