// A counter says how long the list is: one too many here.
// expect: false(valid-deref) line 17
// property: valid-deref,valid-free,valid-memtrack
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next; };
int main(void) {
  struct node *list = 0;
  int length = 0;
  while (length < 12 && __VERIFIER_nondet_int()) {
    struct node *fresh = malloc(sizeof *fresh);
    fresh->next = list;
    list = fresh;
    ++length;
  }
  while (length >= 0) {
    struct node *next = list->next;
    free(list);
    list = next;
    --length;
  }
  return 0;
}
