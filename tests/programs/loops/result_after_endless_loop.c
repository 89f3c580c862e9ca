// expect: true
// proved-by: test explicit
// property: unreach-call
// Every return gives a result; the end of the loop is never passed, so the program has no inputs.
#include <assert.h>
static int table[4] = {1, 2, 0, 3};
static int find(int at) {
  do {
    if (table[at] == 0) return at;
    at = table[at];
  } while (1);
}
int main(void) { assert(find(0) == 2); }
