// expect: true
// proved-by: auto
#include <assert.h>
#include <string.h>
int main(void) {
  char text[8] = "ab";
  strcpy(text + 3, text);
  strcat(text, text + 5);
  memmove(text, text + 1, 3);
  assert(text[0] == 'b');
  return 0;
}
