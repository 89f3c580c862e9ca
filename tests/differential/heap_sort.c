#include <stdio.h>
static void sift(int *a, int i, int n) {
  for (int child; (child = 2 * i + 1) < n; i = child) {
    if (child + 1 < n && a[child + 1] > a[child]) child++;
    if (a[i] >= a[child]) return;
    int t = a[i];
    a[i] = a[child];
    a[child] = t;
  }
}
int main(void) {
  int a[64];
  for (int i = 0; i < 64; i++) a[i] = i * 37 % 64;
  for (int i = 31; i >= 0; i--) sift(a, i, 64);
  for (int n = 63; n > 0; n--) {
    int t = a[0];
    a[0] = a[n];
    a[n] = t;
    sift(a, 0, n);
  }
  for (int i = 0; i < 64; i++) printf("%d ", a[i]);
  printf("\n");
  return 0;
}
