// expect: true
#include <assert.h>
struct node {
  int value;
  struct node *next;
};
static void insert_sorted(struct node **list, struct node *item) {
  while (*list && (*list)->value < item->value) list = &(*list)->next;
  item->next = *list;
  *list = item;
}
int main(void) {
  struct node nodes[5] = {{3, 0}, {1, 0}, {4, 0}, {1, 0}, {5, 0}};
  struct node *list = 0;
  for (int i = 0; i < 5; i++) insert_sorted(&list, &nodes[i]);
  int count = 0;
  for (struct node *n = list; n; n = n->next, count++) assert(!n->next || n->value <= n->next->value);
  assert(count == 5);
  return 0;
}
