// expect: true
// files: part_tentative_definitions.c
#include <assert.h>
int shared, table[4];
void set(void);
int main(void) {
  assert(shared == 7 && table[3] == 0);
  set();
  assert(table[3] == 9);
}
