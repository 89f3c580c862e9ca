// expect: true
// Division truncates towards zero and the remainder has the sign of the dividend.
#include <assert.h>
int main(void) {
  assert(7 / 2 == 3 && 7 % 2 == 1);
  assert(-7 / 2 == -3 && -7 % 2 == -1);
  assert(7 / -2 == -3 && 7 % -2 == 1);
  for (int a = -20; a <= 20; a++)
    for (int b = -5; b <= 5; b++)
      if (b) assert(a / b * b + a % b == a);
  return 0;
}
