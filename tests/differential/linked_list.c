#include <stdio.h>
#include <stdlib.h>
struct node { int value; struct node *next; };
static struct node *reverse(struct node *list) {
  struct node *result = 0;
  while (list) {
    struct node *next = list->next;
    list->next = result;
    result = list;
    list = next;
  }
  return result;
}
int main(void) {
  struct node *list = 0;
  for (int i = 0; i < 10; i++) {
    struct node *n = malloc(sizeof *n);
    n->value = i * i;
    n->next = list;
    list = n;
  }
  list = reverse(list);
  int sum = 0;
  while (list) {
    printf("%d ", list->value);
    sum += list->value;
    struct node *next = list->next;
    free(list);
    list = next;
  }
  printf("= %d\n", sum);
  return sum & 0x7f;
}
