// expect: false(unreach-call)
// hard-for: auto test explicit dpr guided merge shape dash
// property: unreach-call
// Pointers that are kept as integers, in memory.
void reach_error(void);
int __VERIFIER_nondet_int(void);
void *__VERIFIER_nondet_pointer(void);
#include <stdint.h>
int x;
struct box { uintptr_t low, high; } box;
int main(void) {
  uintptr_t p = (uintptr_t)&x;
  box.low = p & 0xffff;
  box.high = p >> 16;
  if (__VERIFIER_nondet_int() == 3) box.high = 0;
  if (!box.high) return 0;
  *(int *)(box.high << 16 | box.low) = 7;
  if (x == 7) reach_error();
  return 0;
}
