// Memory that is used after it was freed.
//
//   whittle check examples/list.c
//
// The loop frees a node and then asks that node for the next one. It works on most machines on most days. The report says
// where the object was allocated and where it is used.
//
//   whittle check --property valid-memtrack examples/list.c -- -DFIXED
//
// checks the repaired program for memory that is never freed.
//
// expect: false(valid-deref) line 35
#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};

int main(void) {
  struct node *list = 0;
  for (int i = 0; i < 3; i++) {
    struct node *node = malloc(sizeof *node);
    node->value = i;
    node->next = list;
    list = node;
  }
#ifdef FIXED
  while (list) {
    struct node *next = list->next;
    free(list);
    list = next;
  }
#else
  for (struct node *node = list; node; node = node->next) free(node);
#endif
  return 0;
}
