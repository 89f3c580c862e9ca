// expect: false(unreach-call) line 7
// hard-for: test explicit dpr guided merge dash
// An argument that was not given is whatever the register holds.
#include <assert.h>
typedef void (*One)(int);
static void two(int a, int b) {
  assert(a == 1 && b == 2);
}
static void (*function)(int, int) = two;
int main(void) {
  ((One)function)(1);
  return 0;
}
