// expect: false(unreach-call) line 8
// hard-for: test
#include <assert.h>
#include <sys/stat.h>
int main(void) {
  struct stat s;
  s.st_size = 7;
  if (stat("file", &s) == 0) assert(s.st_size == 7);
  return 0;
}
