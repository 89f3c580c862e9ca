// expect: false(valid-deref)
#include <errno.h>
#include <string.h>
#include <unistd.h>
int main(void) {
  char text[40];
  if (unlink("file") != 0) strcpy(text, strerror(errno));
  return 0;
}
