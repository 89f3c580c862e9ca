// expect: true
// property: valid-deref,unreach-call
// proved-by: explicit
#include <assert.h>
#include <time.h>
int main(void) {
  char text[4];
  time_t t = 0;
  assert(strftime(text, sizeof text, "%Y-%m-%d", gmtime(&t)) == 0);
  return 0;
}
