// expect: true
#include <assert.h>
static int next(void) {
  static int counter = 10;
  return counter++;
}
int global_zero[4];
static const int table[3] = {7, 8, 9};
int main(void) {
  assert(next() == 10 && next() == 11);
  assert(global_zero[3] == 0 && table[2] == 9);
  return 0;
}
