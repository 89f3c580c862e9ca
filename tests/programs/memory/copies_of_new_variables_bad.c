// expect: false(unreach-call) line 10
#include <string.h>
#include <assert.h>
int main(void) {   /* a variable declared anew has a new value */
  unsigned char keep[2][8];
  for (int i = 0; i < 2; i++) {
    unsigned char x[8];
    memcpy(keep[i], x, 8);
  }
  assert(keep[0][5] == keep[1][5]);
  return 0;
}
