// expect: false(unreach-call) line 14
// property: unreach-call
// hard-for: dpr dash
// Bytes that get their values together may be any, one by one.
#include <string.h>
extern void reach_error(void);
static unsigned char copy[16];
int table[256];
int main(void) {
  unsigned char bytes[16];
  memcpy(copy, bytes, sizeof bytes);
  table[77] = 1;
  // The last bytes of the 16 are the top of a wide number.
  if (table[copy[13]]) reach_error();
  return 0;
}
