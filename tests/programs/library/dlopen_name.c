// The name must be a text.
// expect: false(valid-deref) line 6
#include <dlfcn.h>
int main(void) {
  char name[2] = {'a', 'b'};
  return dlopen(name, RTLD_NOW) != 0;
}
