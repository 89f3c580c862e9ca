// Objects that are only known by addresses in their middle, which are compared with each other and with null.
// expect: true
// proved-by: shape auto
// property: unreach-call,valid-deref,valid-free,valid-memtrack
#include <stddef.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct hook { struct hook *next; };
struct item { int value[3]; struct hook hook; };
struct head { long size; struct hook hook; };
#define item_of(h) ((struct item *)((char *)(h) - offsetof(struct item, hook)))
static struct hook *first(struct hook *ring) { return ring->next == ring ? 0 : ring->next; }
int main(void) {
  struct head *head = malloc(sizeof *head);
  head->hook.next = &head->hook;
  while (__VERIFIER_nondet_int()) {
    struct item *fresh = malloc(sizeof *fresh);
    if (&fresh->hook == &head->hook) reach_error();
    fresh->hook.next = head->hook.next;
    head->hook.next = &fresh->hook;
  }
  for (struct hook *hook; (hook = first(&head->hook));) {
    head->hook.next = hook->next;
    free(item_of(hook));
  }
  free(head);
  return 0;
}
