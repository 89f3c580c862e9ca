// expect: true
// proved-by: explicit
#include <assert.h>
#include <stdlib.h>
int main(void) {
  srand48(1);
  long a = lrand48(), b = lrand48();
  assert(a == 89400484 && b == 976015093);
  srand48(1);
  assert(lrand48() == a);
  return 0;
}
