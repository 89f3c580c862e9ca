// expect: true
// property: memory-safety,unreach-call
#include <assert.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
struct tree { int key; struct tree *left, *right; };
static struct tree *insert(struct tree *t, int key) {
  if (!t) {
    t = malloc(sizeof *t);
    *t = (struct tree){key, 0, 0};
  } else if (key < t->key) {
    t->left = insert(t->left, key);
  } else {
    t->right = insert(t->right, key);
  }
  return t;
}
static int check(struct tree *t, int low, int high) {
  if (!t) return 0;
  assert(t->key >= low && t->key <= high);
  return 1 + check(t->left, low, t->key) + check(t->right, t->key, high);
}
static void release(struct tree *t) {
  if (!t) return;
  release(t->left);
  release(t->right);
  free(t);
}
int main(void) {
  struct tree *t = 0;
  for (int i = 0; i < 5; i++) t = insert(t, __VERIFIER_nondet_int() % 100);
  assert(check(t, -100, 100) == 5);
  release(t);
  return 0;
}
