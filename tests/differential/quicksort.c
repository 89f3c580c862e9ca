#include <stdio.h>
static unsigned seed = 12345;
static unsigned next(void) { return seed = seed * 1103515245u + 12345u; }
static void sort(int *a, int n) {
  if (n < 2) return;
  int pivot = a[n / 2], i = 0, j = n - 1;
  while (i <= j) {
    while (a[i] < pivot) i++;
    while (a[j] > pivot) j--;
    if (i <= j) {
      int t = a[i];
      a[i++] = a[j];
      a[j--] = t;
    }
  }
  sort(a, j + 1);
  sort(a + i, n - i);
}
int main(void) {
  int a[100];
  for (int i = 0; i < 100; i++) a[i] = (int)(next() >> 16) % 1000;
  sort(a, 100);
  for (int i = 0; i < 100; i++) printf("%4d%s", a[i], i % 10 == 9 ? "\n" : "");
  return 0;
}
