#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
  char *text = 0;
  size_t size = 0, used = 0;
  for (int i = 0; i < 50; i++) {
    char piece[16];
    size_t n = (size_t)sprintf(piece, "%d,", i * i);
    if (used + n + 1 > size) text = realloc(text, size = size * 2 + 8);
    memcpy(text + used, piece, n + 1);
    used += n;
  }
  printf("%zu %s\n", used, text);
  text = realloc(text, 10);
  text[9] = 0;
  puts(text);
  free(text);
  return 0;
}
