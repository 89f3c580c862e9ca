// expect: false(valid-memtrack)
// property: valid-memtrack
// hard-for: dash
#include <glob.h>
int main(void) {
  glob_t found;
  if (glob("*.c", 0, 0, &found) != 0) return 1;
  found.gl_pathv = 0;
  return 0;
}
