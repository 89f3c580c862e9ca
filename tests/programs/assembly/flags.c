// expect: true
// proved-by: auto
// Results that are flags.
#include <assert.h>
static int add_carries(unsigned *x, unsigned by) {
  int carry;
  __asm__("addl %2, %1" : "=@ccc"(carry), "+r"(*x) : "r"(by));
  return carry;
}
static int is_below(unsigned a, unsigned b) {
  unsigned char below;
  __asm__("cmpl %2, %1\n\tsetb %0" : "=q"(below) : "r"(a), "r"(b));
  return below;
}
static _Bool decrement(int *x) {
  _Bool zero;
  __asm__ volatile("lock; decl %0" : "+m"(*x), "=@ccz"(zero) : : "memory");
  return zero;
}
int main(void) {
  unsigned x = 0xffffffffu;
  assert(add_carries(&x, 2) == 1 && x == 1);
  assert(add_carries(&x, 2) == 0 && x == 3);
  assert(is_below(1, 2) && !is_below(2, 2) && !is_below(3, 2));
  int n = 2;
  assert(!decrement(&n) && decrement(&n) && n == 0);
  unsigned count, value = 0xf0f0;
  __asm__("popcnt %1, %0" : "=r"(count) : "r"(value));
  assert(count == 8);
  return 0;
}
