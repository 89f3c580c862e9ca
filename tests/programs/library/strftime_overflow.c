// expect: false(valid-deref)
// property: valid-deref
#include <time.h>
int main(void) {
  char text[4];
  time_t t = 0;
  strftime(text, 11, "%Y-%m-%d", gmtime(&t));
  return 0;
}
