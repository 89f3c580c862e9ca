// expect: true
// proved-by: explicit guided
// A thread has its own copy of what the call mentions, and shares what pointers lead to.
int sum, done;
void add(int n, int *slot) {
  __CPROVER_atomic_begin();
  sum += n;
  *slot = n;
  done++;
  __CPROVER_atomic_end();
}
int main(void) {
  int n = 3, slots[2] = {0, 0};
  int *first = &slots[0], *second = &slots[1];
  __CPROVER_ASYNC_1: add(n, first);
  n = 4;
__CPROVER_ASYNC_2:
  add(n, second);
  n = 5;
  __CPROVER_assume(done == 2);
  __CPROVER_assert(sum == 7 && slots[0] == 3 && slots[1] == 4, "each with its own value");
  return 0;
}
