// A stream that could not be opened again is gone.
// expect: false(valid-deref) line 9
#include <stdio.h>
#include <unistd.h>
int main(void) {
  close(0);
  FILE *file = fopen("a", "r");
  if (!file || freopen("b", "r", file)) return 0;
  return fgetc(file);
}
