// expect: false(valid-deref) line 7
#include <string.h>
int main(void) {
  char text[8] = " ab";
  char *first = text;
  while (*first == ' ') first++;
  strcpy(text, first);
  return 0;
}
