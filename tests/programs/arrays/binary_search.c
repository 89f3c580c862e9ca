// expect: true
#include <assert.h>
int __VERIFIER_nondet_int(void);
static const int sorted[] = {2, 3, 5, 7, 11, 13, 17, 19};
static int find(int key) {
  int low = 0, high = 7;
  while (low <= high) {
    int middle = low + (high - low) / 2;
    if (sorted[middle] == key) return middle;
    if (sorted[middle] < key) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
int main(void) {
  int at = find(__VERIFIER_nondet_int());
  assert(at >= -1 && at < 8);
  assert(find(13) == 5 && find(4) == -1);
  return 0;
}
