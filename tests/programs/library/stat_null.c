// expect: false(valid-deref)
// property: valid-deref
#include <sys/stat.h>
int main(void) {
  struct stat s;
  const char *name = 0;
  return stat(name, &s);
}
