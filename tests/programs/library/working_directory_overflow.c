// expect: false(valid-deref)
// property: valid-deref
#include <unistd.h>
int main(void) {
  char path[4];
  getcwd(path, 64);
  return 0;
}
