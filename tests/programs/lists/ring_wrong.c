// A ring through a head that is linked by members in the middle of objects, as in kernels. Not so here.
// expect: false(unreach-call) line 34
// hard-for: dpr explicit
// property: unreach-call,valid-deref,valid-free,valid-memtrack
#include <stddef.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct hook { struct hook *next, *prev; };
struct item { int value; struct hook hook; };
static struct hook head = {&head, &head};
static struct item *item_of(struct hook *hook) { return (struct item *)((char *)hook - offsetof(struct item, hook)); }
static void unlink_hook(struct hook *hook) {
  hook->prev->next = hook->next;
  hook->next->prev = hook->prev;
}
int main(void) {
  while (__VERIFIER_nondet_int()) {
    struct item *fresh = malloc(sizeof *fresh);
    fresh->value = __VERIFIER_nondet_int() ? 1 : 2;
    fresh->hook.next = &head;
    fresh->hook.prev = head.prev;
    head.prev->next = &fresh->hook;
    head.prev = &fresh->hook;
  }
  for (struct hook *hook = head.next, *next; hook != &head; hook = next) {
    next = hook->next;
    if (item_of(hook)->value == 1) {
      unlink_hook(hook);
      free(item_of(hook));
    }
  }
  for (struct hook *hook = head.next; hook != &head; hook = hook->next)
    if (item_of(hook)->value != 1) reach_error();
  while (head.next != &head) {
    struct hook *hook = head.next;
    unlink_hook(hook);
    free(item_of(hook));
  }
  return 0;
}
