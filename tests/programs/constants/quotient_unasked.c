// expect: false(no-div-by-zero) line 4
#include <limits.h>
int main(void) {
  return INT_MIN % -1;
}
