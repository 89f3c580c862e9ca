// expect: false(valid-deref) line 14
// What was handed out by a flush may be gone after more is written.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  char *text = 0;
  size_t size = 0;
  FILE *file = open_memstream(&text, &size);
  if (!file) return 1;
  fputs("a", file);
  fflush(file);
  fputs("0123456789012345678901234567890123456789", file);
  putchar(text[0]);
  fclose(file);
  free(text);
  return 0;
}
