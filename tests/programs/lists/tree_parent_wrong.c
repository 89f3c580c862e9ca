// Objects on the right take the root for their parent.
// expect: false(unreach-call)
// hard-for: dpr
// property: unreach-call,valid-free,valid-deref,valid-memtrack
#include <stdlib.h>

_Bool __VERIFIER_nondet_bool(void);
void __VERIFIER_error(void);

struct tree {
  struct tree *left, *right, *parent;
};

static struct tree *leaf(struct tree *parent) {
  struct tree *t = malloc(sizeof *t);
  if (!t) abort();
  t->left = t->right = 0;
  t->parent = parent;
  return t;
}

int main(void) {
  struct tree *root = leaf(0), *n, *above;
  while (__VERIFIER_nondet_bool()) {
    n = root;
    while (n->left && n->right) n = __VERIFIER_nondet_bool() ? n->left : n->right;
    if (!n->left)
      n->left = leaf(n);
    else
      n->right = leaf(root);
  }
  while (root) {
    above = 0;
    n = root;
    while (n->left || n->right) {
      above = n;
      n = n->left ? n->left : n->right;
      if (n->parent != above) __VERIFIER_error();
    }
    if (!above)
      root = 0;
    else if (above->left == n)
      above->left = 0;
    else
      above->right = 0;
    free(n);
  }
  return 0;
}
