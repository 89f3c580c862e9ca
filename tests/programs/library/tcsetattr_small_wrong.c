// expect: false(valid-deref) line 8
#include <stdlib.h>
#include <termios.h>
#include <string.h>
int main(void) {
  char *half = malloc(20);
  memset(half, 0, 20);
  tcsetattr(0, TCSANOW, (struct termios *)half);
  free(half);
  return 0;
}
