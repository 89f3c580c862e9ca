// expect: false(unreach-call)
// hard-for: dpr
#include <assert.h>
#include <sys/stat.h>
int main(void) {
  struct stat about;
  if (stat("data", &about) != 0) return 1;
  int size = (int)about.st_size;
  assert(size == about.st_size);
  return 0;
}
