// expect: false(valid-deref)
// property: valid-deref
#include <unistd.h>
int main(void) {
  char buffer[8];
  read(0, buffer, 9);
  return 0;
}
