// expect: false(unreach-call) line 6
#include <assert.h>
int main(void) {
  unsigned __int128 one = 1;
  unsigned __int128 high = one << 64;
  assert((unsigned long)high == 1);
  return 0;
}
