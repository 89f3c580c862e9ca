// expect: true
// A lock-free stack of nodes that are never reused.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
struct node { int value; struct node *next; };
static struct node nodes[2] = {{1, 0}, {2, 0}};
static _Atomic(struct node *) top;
static void *push(void *argument) {
  struct node *node = argument, *old = top;
  do node->next = old;
  while (!atomic_compare_exchange_weak(&top, &old, node));
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, push, &nodes[0]);
  pthread_create(&b, 0, push, &nodes[1]);
  pthread_join(a, 0);
  pthread_join(b, 0);
  struct node *first = top;
  assert(first && first->next && !first->next->next && first->value + first->next->value == 3);
  return 0;
}
