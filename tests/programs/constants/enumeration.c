// expect: false(no-overflow) line 4
// property: no-overflow
#include <limits.h>
enum limits { LOW = 0, HIGH = INT_MAX + 1 };
int main(void) {
  return LOW;
}
