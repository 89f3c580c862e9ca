// A list whose elements have lists and rings of their own. Here two elements share one list.
// expect: false(valid-deref) line 43
// hard-for: dpr explicit merge
// property: unreach-call,valid-deref,valid-free,valid-memtrack
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct hook { struct hook *next, *prev; };
struct leaf { int value; struct leaf *next; };
struct knot { struct hook hook; int value; };
struct item { struct item *next; struct leaf *leaves; struct hook ring; };
static struct leaf *leaf(struct leaf *next) {
  struct leaf *fresh = malloc(sizeof *fresh);
  fresh->value = 1;
  fresh->next = next;
  return fresh;
}
static void tie(struct hook *ring) {
  struct knot *fresh = malloc(sizeof *fresh);
  fresh->value = 2;
  fresh->hook.next = ring->next;
  fresh->hook.prev = ring;
  ring->next->prev = &fresh->hook;
  ring->next = &fresh->hook;
}
int main(void) {
  struct item *list = 0;
  while (__VERIFIER_nondet_int()) {
    struct item *fresh = malloc(sizeof *fresh);
    fresh->leaves = list ? list->leaves : 0;
    fresh->ring.next = fresh->ring.prev = &fresh->ring;
    while (__VERIFIER_nondet_int()) fresh->leaves = leaf(fresh->leaves);
    while (__VERIFIER_nondet_int()) tie(&fresh->ring);
    fresh->next = list;
    list = fresh;
  }
  for (struct item *i = list; i; i = i->next)
    for (struct leaf *l = i->leaves; l; l = l->next)
      if (l->value != 1) reach_error();
  while (list) {
    struct item *next = list->next;
    while (list->leaves) {
      struct leaf *rest = list->leaves->next;
      free(list->leaves);
      list->leaves = rest;
    }
    for (struct hook *h = list->ring.next, *after; h != &list->ring; h = after) {
      after = h->next;
      if (after->prev != h) reach_error();
      free(h);
    }
    free(list);
    list = next;
  }
  return 0;
}
