// expect: false(unreach-call) line 6
#include <assert.h>
#include <unistd.h>
int main(void) {
  long n = write(1, "text", 4);
  assert(n == 4);
  return 0;
}
