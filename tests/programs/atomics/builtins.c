// expect: true
#include <assert.h>
int main(void) {
  int n = 5, expected = 5;
  assert(__sync_fetch_and_add(&n, 3) == 5 && n == 8);
  assert(__sync_sub_and_fetch(&n, 2) == 6);
  assert(__sync_bool_compare_and_swap(&n, 6, 10) && !__sync_bool_compare_and_swap(&n, 6, 11) && n == 10);
  assert(__sync_val_compare_and_swap(&n, 10, 12) == 10 && __sync_lock_test_and_set(&n, 1) == 12);
  __sync_lock_release(&n);
  assert(n == 0);
  assert(__atomic_exchange_n(&n, 5, __ATOMIC_SEQ_CST) == 0);
  assert(__atomic_compare_exchange_n(&n, &expected, 9, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) && n == 9);
  assert(!__atomic_compare_exchange_n(&n, &expected, 1, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED) && expected == 9);
  assert(__atomic_fetch_or(&n, 6, __ATOMIC_RELAXED) == 9 && __atomic_xor_fetch(&n, 1, __ATOMIC_RELAXED) == 14);
  assert(__atomic_nand_fetch(&n, 12, __ATOMIC_RELAXED) == ~12);
  __sync_synchronize();
  __atomic_store_n(&n, 3, __ATOMIC_RELEASE);
  assert(__atomic_load_n(&n, __ATOMIC_ACQUIRE) == 3);
  return 0;
}
