# Traces and messages in the program's own words: names of variables and members, values of their types, objects by number.

case_heap_objects_have_names_and_types() {
  cat >list.c <<'C'
#include <stdlib.h>
enum color { RED, GREEN, BLUE };
struct node {
  int value;
  enum color color;
  double weight;
  char letter;
  struct node *next;
};
struct node *head;
struct node *push(int value) {
  struct node *n = malloc(sizeof *n);
  n->value = value;
  n->color = GREEN;
  n->weight = value * 0.5;
  n->letter = 'q';
  n->next = head;
  head = n;
  return n;
}
int main(void) {
  struct node *a = push(7);
  push(2);
  free(a);
  return head->next->value;
}
C
  whittle check list.c --timeout 60s
  expect_verdict 'false(valid-deref)'
  expect_out 'n = node #1$'
  expect_out 'n->value = 7$'
  expect_out 'n->color = GREEN$'
  expect_out 'n->weight = 3\.5$'
  expect_out "n->letter = 'q'\$"
  expect_out 'n->next = node #1$'
  expect_out 'head = node #2$'
  expect_out 'read of 4 bytes at offset 0 of node #1, allocated at list\.c:12 \(32 bytes\) after it was freed at list\.c:24'
}

case_locals_and_arrays() {
  cat >local.c <<'C'
#include <assert.h>
struct pair { int x, y; struct pair *other; };
void set(struct pair *s, int *numbers, int i) {
  s->y = i;
  s->other = s;
  numbers[i] = 5;
}
int main(void) {
  struct pair here = {1, 2, 0};
  int numbers[4] = {0};
  here.x = 3;
  set(&here, numbers, 2);
  assert(numbers[2] != 5);
}
C
  whittle check local.c --timeout 60s
  expect_verdict 'false(unreach-call)'
  expect_out 'here\.x = 3$'
  expect_out 's->y = 2$'
  expect_out 's->other = &here$'
  expect_out 'numbers\[2\] = 5$'
}

case_bounds_in_words() {
  cat >before.c <<'C'
char text[8];
int main(void) {
  char *p = text;
  p[-1] = 'x';
}
C
  whittle check before.c --timeout 60s
  expect_out 'write of 1 byte 1 byte before text \(8 bytes\)'
  cat >after.c <<'C'
int a[4];
int main(int argc, char **argv) {
  int *p = a;
  return p[argc + 4];
}
C
  whittle check after.c --timeout 60s
  expect_out 'read of 4 bytes 4 bytes past the end of a \(16 bytes\)'
}
