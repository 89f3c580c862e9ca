// expect: true
// proved-by: auto
#include <assert.h>
static int first_bit(unsigned x) {
  int at;
  __asm__("bsfl %1, %0" : "=r"(at) : "rm"(x));
  return at;
}
static int last_bit(unsigned x) {
  int at;
  __asm__("bsrl %1, %0" : "=r"(at) : "rm"(x));
  return at;
}
static unsigned swap(unsigned x) {
  __asm__("bswap %0" : "+r"(x));
  return x;
}
static int test_and_set(int number, volatile unsigned *words) {
  int old;
  __asm__ volatile("lock; btsl %2,%1\n\tsbbl %0,%0" : "=r"(old), "+m"(*words) : "Ir"(number) : "memory");
  return old;
}
int main(void) {
  unsigned words[2] = {0, 0};
  assert(first_bit(24) == 3 && last_bit(24) == 4);
  assert(swap(0x11223344) == 0x44332211);
  int far = 35;
  assert(test_and_set(far, words) == 0 && words[1] == 8 && words[0] == 0);
  assert(test_and_set(far, words) == -1);
  int x = 7, y;
  __asm__("movl %1, %0\n\taddl $3, %0" : "=&r"(y) : "r"(x));
  assert(y == 10);
  return 0;
}
