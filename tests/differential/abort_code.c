#include <stdio.h>
#include <stdlib.h>
int main(void) {
  puts("before");
  fflush(stdout);
  _Exit(7);
}
