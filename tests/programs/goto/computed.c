// expect: true
// Threaded code with labels as values.
#include <assert.h>
int main(void) {
  static const unsigned char code[] = {0, 0, 1, 0, 2};
  static void *const actions[] = {&&increment, &&twice, &&stop};
  int value = 1;
  const unsigned char *pc = code;
  goto *actions[*pc++];
increment:
  value++;
  goto *actions[*pc++];
twice:
  value *= 2;
  goto *actions[*pc++];
stop:
  assert(value == 7);
  return 0;
}
