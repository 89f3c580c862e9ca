// expect: unknown
// A number with a point is passed in another register.
#include <assert.h>
typedef long (*Callback)(double, long);
static int narrow(int n) { return n; }
static void (*function)(void) = (void (*)(void))narrow;
int main(void) {
  assert(((Callback)function)(1.5, 7) == 7);
  return 0;
}
