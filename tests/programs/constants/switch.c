// expect: false(no-overflow) line 5
// property: no-overflow
#include <limits.h>
int main(void) {
  switch (INT_MAX + 1) {
    case 1: return 1;
    default: return 0;
  }
}
