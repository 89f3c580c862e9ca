#include <stdio.h>
#include <stdlib.h>
struct tree { int key; struct tree *left, *right; };
static void insert(struct tree **t, int key) {
  while (*t) t = key < (*t)->key ? &(*t)->left : &(*t)->right;
  *t = calloc(1, sizeof **t);
  (*t)->key = key;
}
static int depth(struct tree *t) {
  if (!t) return 0;
  int l = depth(t->left), r = depth(t->right);
  return 1 + (l > r ? l : r);
}
static void walk(struct tree *t) {
  if (!t) return;
  walk(t->left);
  printf("%d ", t->key);
  walk(t->right);
  free(t);
}
int main(void) {
  struct tree *root = 0;
  unsigned x = 7;
  for (int i = 0; i < 30; i++) insert(&root, (int)((x = x * 75 + 74) % 65537 % 100));
  printf("%d\n", depth(root));
  walk(root);
  printf("\n");
  return 0;
}
