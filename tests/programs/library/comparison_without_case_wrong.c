// expect: false(unreach-call)
#include <assert.h>
#include <strings.h>
int main(void) {
  assert(strcasecmp("c", "A") == 2);
  return 0;
}
