#include <stdlib.h>
struct node { struct node *next; int value; };
int main(void) {
  struct node *head = 0;
  for (int i = 0; i < 20; i++) {
    struct node *n = malloc(sizeof *n);
    if (!n) return -1;
    n->value = i * i;
    n->next = head;
    head = n;
    if (i % 3 == 2) {
      struct node *gone = head->next;
      head->next = gone->next;
      free(gone);
    }
  }
  int sum = 0;
  while (head) {
    struct node *n = head;
    sum += n->value;
    head = n->next;
    free(n);
  }
  return sum;
}
