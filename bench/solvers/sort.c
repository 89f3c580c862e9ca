// Sorted, and the same sum as before.
#include <assert.h>

unsigned char __VERIFIER_nondet_uchar(void);

#define N 4

int main(void) {
  unsigned char a[N];
  unsigned before = 0, after = 0;
  for (int i = 0; i < N; ++i) before += a[i] = __VERIFIER_nondet_uchar();
  for (int i = 0; i < N; ++i)
    for (int j = 0; j + 1 < N - i; ++j)
      if (a[j] > a[j + 1]) {
        unsigned char t = a[j];
        a[j] = a[j + 1];
        a[j + 1] = t;
      }
  for (int i = 0; i < N; ++i) after += a[i];
  for (int i = 0; i + 1 < N; ++i) assert(a[i] <= a[i + 1]);
  assert(before == after);
}
