// The counter's value is not known.
// expect: false(unreach-call) line 8
#include <assert.h>
#include <x86intrin.h>

int main(void) {
  unsigned long long before = __rdtsc();
  assert(before != 12345);
  return 0;
}
