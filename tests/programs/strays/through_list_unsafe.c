// expect: false(unreach-call)
// hard-for: auto test explicit dpr guided merge shape dash
// property: unreach-call
// Two names for one element of a list.
void reach_error(void);
int __VERIFIER_nondet_int(void);
void *__VERIFIER_nondet_pointer(void);
#include <stdlib.h>
struct node { struct node *next; int value; };
int main(void) {
  struct node *first = malloc(sizeof *first), *second = malloc(sizeof *second);
  if (!first || !second) return 0;
  first->next = second;
  second->next = first;
  first->value = 0;
  second->next->value = __VERIFIER_nondet_int();
  if (first->value == 7) reach_error();
  return 0;
}
