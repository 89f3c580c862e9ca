// Links in both directions stay each other's after a list is turned round. Not so here.
// expect: false(unreach-call) line 26
// hard-for: dpr
// property: unreach-call,valid-deref
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct node { struct node *next, *prev; };
int main(void) {
  struct node *list = 0, *turned = 0;
  while (__VERIFIER_nondet_int()) {
    struct node *fresh = malloc(sizeof *fresh);
    fresh->prev = 0;
    fresh->next = list;
    if (list) list->prev = fresh;
    list = fresh;
  }
  while (list) {
    struct node *next = list->next;
    list->next = turned;
    list->prev = turned;
    turned = list;
    list = next;
  }
  for (struct node *p = turned; p; p = p->next)
    if (p->next && p->next->prev != p) reach_error();
  return 0;
}
