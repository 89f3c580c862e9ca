// Leaves on the right are freed twice.
// expect: false(valid-free)
// hard-for: dpr
// property: valid-free,valid-deref,valid-memtrack
#include <stdlib.h>

_Bool __VERIFIER_nondet_bool(void);

struct tree {
  struct tree *left, *right;
};

static struct tree *leaf(void) {
  struct tree *t = malloc(sizeof *t);
  if (!t) abort();
  t->left = t->right = 0;
  return t;
}

int main(void) {
  struct tree *root = leaf(), *n, *above;
  while (__VERIFIER_nondet_bool()) {
    n = root;
    while (n->left && n->right) n = __VERIFIER_nondet_bool() ? n->left : n->right;
    if (!n->left)
      n->left = leaf();
    else
      n->right = leaf();
  }
  while (root) {
    above = 0;
    n = root;
    while (n->left || n->right) {
      above = n;
      n = n->left ? n->left : n->right;
    }
    if (!above)
      root = 0;
    else if (above->left == n)
      above->left = 0;
    else {
      above->right = 0;
      free(n);
    }
    free(n);
  }
  return 0;
}
