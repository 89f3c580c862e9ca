// expect: true
// property: valid-memcleanup,memory-safety
#include <stdlib.h>
unsigned __VERIFIER_nondet_uint(void);
struct node { struct node *next; };
int main(void) {
  struct node *list = 0;
  for (unsigned n = __VERIFIER_nondet_uint() % 5; n > 0; n--) {
    struct node *item = malloc(sizeof *item);
    item->next = list;
    list = item;
  }
  while (list) {
    struct node *next = list->next;
    free(list);
    list = next;
  }
  return 0;
}
