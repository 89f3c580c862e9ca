// Every object of a list of any length is freed, once. Not so here.
// expect: false(valid-memtrack) line 12
// hard-for: dpr
// property: valid-free,valid-deref,valid-memtrack,valid-memcleanup
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct node { int value; struct node *next; };
int main(void) {
  struct node *list = 0;
  while (__VERIFIER_nondet_int()) {
    struct node *fresh = malloc(sizeof *fresh);
    fresh->value = __VERIFIER_nondet_int();
    fresh->next = list;
    list = fresh;
  }
  while (list) {
    struct node *next = list->next;
    if (list->value != 7 || !next) free(list);
    list = next;
  }
  return 0;
}
