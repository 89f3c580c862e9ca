// expect: false(unreach-call) line 11
#include <string.h>
#include <assert.h>
#include <stdlib.h>
int main(void) {
  unsigned char u[4], v[4];
  memcpy(v, u, 4);
  u[1] = 9;
  memcpy(u + 2, u, 1);   /* u[2] = u[0] */
  assert(u[2] == v[0]);
  assert(!(v[0] == 1 && v[1] == 2 && v[2] == 3 && u[0] == 1));  /* can fail */
  return 0;
}
