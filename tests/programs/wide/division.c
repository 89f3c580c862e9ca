// expect: true
#include <assert.h>
int main(void) {
  unsigned __int128 big = (unsigned __int128)1 << 100;
  assert(big / 3 * 3 + big % 3 == big);
  assert((unsigned long)(big >> 90) == 1024);
  __int128 negative = -(__int128)big;
  assert(negative / 7 * 7 + negative % 7 == negative);
  assert(negative < 0 && (negative >> 99) == -2);
  return 0;
}
