// expect: true
#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
int main(void) {
  assert(malloc(SIZE_MAX) == 0 && errno == ENOMEM);
  assert(calloc(SIZE_MAX / 2, 16) == 0);
  char *empty = malloc(0);
  free(empty);
  return 0;
}
