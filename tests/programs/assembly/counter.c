// expect: false(unreach-call)
// hard-for: test explicit dpr guided merge dash
// What the processor counts is any value.
#include <assert.h>
static unsigned long long ticks(void) {
  unsigned low, high;
  __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
  return (unsigned long long)high << 32 | low;
}
int main(void) {
  assert(ticks() != 77);
  return 0;
}
