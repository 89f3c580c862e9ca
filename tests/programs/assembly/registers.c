// expect: true
// proved-by: auto
// Registers that the constraints name, an input and an output in the same one, and what only the text names.
#include <assert.h>
#include <stdint.h>
unsigned __VERIFIER_nondet_uint(void);
static int compare_exchange(volatile int *at, int expected, int wanted) {
  int old;
  __asm__ volatile("lock; cmpxchgl %2,%1" : "=a"(old), "+m"(*at) : "r"(wanted), "a"(expected) : "memory");
  return old;
}
static uint32_t rotate(uint32_t x, unsigned n) {
  __asm__("roll %%cl,%0" : "+r"(x) : "c"(n));
  return x;
}
static unsigned largest(unsigned a, unsigned b) {
  __asm__("cmpl %1,%0; cmovb %1,%0" : "+r"(a) : "r"(b) : "cc");
  return a;
}
static int second(const int *p) {
  int x;
  __asm__("movl 4(%1),%%edx; movl %%edx,%0" : "=r"(x) : "r"(p) : "edx", "memory");
  return x;
}
int main(void) {
  int word = 5, two[2] = {1, 2};
  assert(compare_exchange(&word, 5, 9) == 5 && word == 9);
  assert(compare_exchange(&word, 5, 1) == 9 && word == 9);
  unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint();
  assert(rotate(rotate(x, 12), 20) == x);
  assert(largest(x, y) >= x && largest(x, y) >= y);
  assert(second(two) == 2);
  return 0;
}
