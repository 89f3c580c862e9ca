#include <stdatomic.h>
#include <stdio.h>
int main(void) {
  atomic_int n = 5;
  _Atomic unsigned char c = 250;
  int expected = 5;
  printf("%d ", atomic_fetch_add(&n, 3));
  printf("%d ", atomic_exchange(&n, 20));
  printf("%d ", atomic_compare_exchange_strong(&n, &expected, 1));
  printf("%d %d ", expected, atomic_compare_exchange_strong(&n, &expected, 1));
  printf("%d\n", n);
  for (int i = 0; i < 10; i++) c++;
  printf("%d %d\n", c, atomic_fetch_xor(&n, 6));
  long w = 1;
  printf("%ld\n", __atomic_or_fetch(&w, 12, __ATOMIC_SEQ_CST));
  printf("%ld\n", __sync_fetch_and_and(&w, 5));
  return (int)w;
}
