// expect: false(unreach-call) line 12
#include <string.h>
#include <assert.h>
#include <stdlib.h>
int main(void) {   /* objects that come again do not have the value of those that ended */
  unsigned char keep[2];
  for (int i = 0; i < 2; i++) {
    unsigned char *p = malloc(4);
    memcpy(&keep[i], p, 1);
    free(p);
  }
  assert(keep[0] == keep[1]);   /* can fail */
  return 0;
}
