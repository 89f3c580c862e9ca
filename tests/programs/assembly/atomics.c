// expect: true
// proved-by: auto
#include <assert.h>
static inline int fetch_add(int *p, int by) {
  __asm__ volatile("lock; xaddl %0, %1" : "+r"(by), "+m"(*p) : : "memory");
  return by;
}
static inline int compare_and_swap(int *p, int old, int new) {
  int before;
  __asm__ volatile("lock; cmpxchgl %2, %1" : "=a"(before), "+m"(*p) : "r"(new), "0"(old) : "memory");
  return before;
}
static inline int exchange(int *p, int value) {
  __asm__ volatile("xchgl %0, %1" : "+r"(value), "+m"(*p));
  return value;
}
static inline unsigned char dec_and_test(int *p) {
  unsigned char zero;
  __asm__ volatile("lock ; decl %0\n\tsete %1" : "+m"(*p), "=qm"(zero) : : "memory");
  return zero;
}
int main(void) {
  int x = 5;
  assert(fetch_add(&x, 3) == 5 && x == 8);
  assert(compare_and_swap(&x, 8, 2) == 8 && x == 2);
  assert(compare_and_swap(&x, 8, 9) == 2 && x == 2);
  assert(exchange(&x, 1) == 2 && x == 1);
  assert(dec_and_test(&x) && x == 0);
  assert(!dec_and_test(&x) && x == -1);
  __asm__ volatile("lock; incl %0" : "+m"(x));
  assert(x == 0);
  __asm__ volatile("lock; addl $0,0(%%rsp)" ::: "memory");
  __asm__ volatile("mfence" ::: "memory");
  __asm__ volatile("rep; nop" ::: "memory");
  return 0;
}
