// A list of any length: first ones, then a two; a walk ends at the two. Not so here.
// expect: false(unreach-call) line 19
// hard-for: dpr
// property: unreach-call
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct node { int value; struct node *next; };
int main(void) {
  struct node *list = malloc(sizeof *list), *p = list;
  while (__VERIFIER_nondet_int()) {
    p->value = p == list ? 1 : 3;
    p->next = malloc(sizeof *p);
    p = p->next;
  }
  p->value = 2;
  p->next = 0;
  for (p = list; p->value == 1; p = p->next) {}
  if (p->value != 2) reach_error();
  return 0;
}
