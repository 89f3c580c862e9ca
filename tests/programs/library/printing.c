// expect: true
// proved-by: auto
#include <assert.h>
#include <stdio.h>
int main(void) {
  char item[4] = "abc";
  printf("a line, whatever comes of it\n");
  size_t n = fwrite(item, 1, 3, stdout);
  assert(n <= 3);
  if (n < 3) assert(ferror(stdout));
  int length = printf("%s\n", item);
  assert(length == 4 || length < 0);
  assert(fputc('x', stdout) == 'x' || ferror(stdout));
  assert(snprintf(item, sizeof item, "%d", 12345) == 5);
  return 0;
}
