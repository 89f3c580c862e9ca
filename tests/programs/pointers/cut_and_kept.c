// The same by way of memory.
// expect: unknown
#include <assert.h>

static unsigned cut;
static int *kept;
static void back(void) { kept = (int *)(unsigned long)cut; }
int main(void) {
  int x = 3;
  cut = (unsigned)(unsigned long)&x;
  back();
  *kept = 4;
  assert(x == 4);
  return 0;
}
