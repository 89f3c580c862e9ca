// expect: false(unreach-call) line 11
// hard-for: explicit dash
// files: part_table.c
#include <assert.h>
int __VERIFIER_nondet_int(void);
extern int lookup(int);
extern const int table_size;
int main(void) {
  int i = __VERIFIER_nondet_int();
  if (i < 0 || i >= table_size) return 0;
  assert(lookup(i) != 25);
  return 0;
}
