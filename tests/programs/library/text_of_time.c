// expect: true
// proved-by: explicit guided dash merge dpr
#include <assert.h>
#include <time.h>
int main(void) {
  time_t t = 0;
  char *s = ctime(&t);
  assert(s[24] == '\n');
  return 0;
}
