// Objects from a loop are followed by tests.
// expect: false(unreach-call) line 19
// property: unreach-call
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct node { int value; struct node *next; };
int main(void) {
  int n = __VERIFIER_nondet_int();
  struct node *list = 0;
  if (n < 0 || n > 5) return 0;
  for (int i = 0; i < n; ++i) {
    struct node *fresh = malloc(sizeof *fresh);
    if (!fresh) return 0;
    fresh->value = i;
    fresh->next = list;
    list = fresh;
  }
  if (n == 4 && list->next->value == 2) reach_error();
  return 0;
}
