// expect: true
#include <assert.h>
static int value;
__attribute__((constructor)) static void prepare(void) { value = 42; }
int main(void) {
  assert(value == 42);
  return 0;
}
