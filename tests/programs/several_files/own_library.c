// expect: true
// The program's own strlen wins over the model.
#include <assert.h>
#include <stddef.h>
size_t strlen(const char *s) {
  (void)s;
  return 77;
}
int main(void) {
  assert(strlen("abc") == 77);
  return 0;
}
