// A walk that frees looks at the link before.
// expect: true
// proved-by: shape auto
// property: valid-deref,valid-free
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct node { int value; struct node *next; };
int main(void) {
  struct node *list = 0;
  while (__VERIFIER_nondet_int()) {
    struct node *fresh = malloc(sizeof *fresh);
    fresh->next = list;
    list = fresh;
  }
  struct node *next;
  for (struct node *p = list; p; p = next) {
    next = p->next; free(p);
  }
  return 0;
}
