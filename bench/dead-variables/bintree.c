// bintree: looks for a key in a binary search tree whose nodes hold any values that keep it ordered. The only model with
// a loop: what is dead below a node depends on which way the search went.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);

struct node {
  int key;
  struct node *left, *right;
};

struct node nodes[7];
int steps;

static int between(int low, int high) {
  unsigned char value = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(value <= high - low);
  return low + value;
}

static struct node *make(int i, int key, int left, int right) {
  nodes[i].key = key;
  nodes[i].left = left ? &nodes[left] : 0;
  nodes[i].right = right ? &nodes[right] : 0;
  return &nodes[i];
}

int main(void) {
  struct node *root = make(0, between(16, 18), 1, 2);
  make(1, between(8, 10), 3, 4);
  make(2, between(24, 26), 5, 6);
  make(3, between(4, 6), 0, 0);
  make(4, between(12, 14), 0, 0);
  make(5, between(20, 22), 0, 0);
  make(6, between(28, 30), 0, 0);
  int wanted = between(0, 1) ? 13 : 25;
  struct node *here = root;
  while (here && here->key != wanted) {
    here = wanted < here->key ? here->left : here->right;
    steps = steps + 1;
  }
  int found = here != 0;
  return found && steps > 2;
}
