// expect: false(unreach-call) line 8
#include <assert.h>
struct text { char *bytes; };
int main(void) {
  char buffer[] = "abc";
  struct text a = {buffer}, b = a;
  b.bytes[0] = 'x';
  assert(a.bytes[0] == 'a');
  return 0;
}
