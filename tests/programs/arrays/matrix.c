// expect: true
#include <assert.h>
int main(void) {
  int a[3][4], t[4][3];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++) a[i][j] = 10 * i + j;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++) t[j][i] = a[i][j];
  assert(t[3][2] == 23 && sizeof a == 48 && *(*(t + 1) + 2) == 21);
  return 0;
}
