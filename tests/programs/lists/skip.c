// A skip list of two levels: towers follow each other above, and between two of them is a list of single objects.
// expect: true
// proved-by: shape auto
// property: unreach-call,valid-deref,valid-free,valid-memtrack
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct tower { struct tower *low, *high; };
static void insert(struct tower *head, struct tower *end) {
  struct tower *above = head, *below;
  while (above->high != end && __VERIFIER_nondet_int()) above = above->high;
  below = above;
  while (below->low != above->high && __VERIFIER_nondet_int()) below = below->low;
  struct tower *fresh = malloc(sizeof *fresh);
  fresh->low = below->low;
  below->low = fresh;
  if (__VERIFIER_nondet_int()) {
    fresh->high = above->high;
    above->high = fresh;
  }
}
int main(void) {
  struct tower *head = malloc(sizeof *head), *end = malloc(sizeof *end);
  head->low = head->high = end;
  end->low = end->high = 0;
  while (__VERIFIER_nondet_int()) insert(head, end);
  if (head->low == head) reach_error();
  while (head) {
    struct tower *next = head->low;
    free(head);
    head = next;
  }
  return 0;
}
