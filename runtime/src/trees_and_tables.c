// search.h: binary trees, and one table of names. Trees are not balanced: in which shape they are kept is open, in which order they are walked is not.
#define _GNU_SOURCE
#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "primitives.h"

typedef int compare_fn(const void*, const void*);
struct node {
  const void* key;  // first: whoever searches gets a pointer to it
  struct node *left, *right;
};

static struct node** find(const void* key, struct node** at, compare_fn* compare) {
  while (*at) {
    int order = compare(key, (*at)->key);
    if (order == 0) break;
    at = order < 0 ? &(*at)->left : &(*at)->right;
  }
  return at;
}
void* tfind(const void* key, void* const* root, compare_fn* compare) { return root ? *find(key, (struct node**)root, compare) : 0; }
void* tsearch(const void* key, void** root, compare_fn* compare) {
  if (!root) return 0;
  struct node** at = find(key, (struct node**)root, compare);
  if (*at) return *at;
  struct node* made = malloc(sizeof *made);
  if (!made) return 0;
  *made = (struct node){key, 0, 0};
  *at = made;
  return made;
}
// The parent of the item; of the root, some pointer that is not null.
void* tdelete(const void* key, void** root, compare_fn* compare) {
  if (!root) return 0;
  struct node** at = (struct node**)root;
  void* parent = root;
  while (*at) {
    int order = compare(key, (*at)->key);
    if (order == 0) break;
    parent = *at;
    at = order < 0 ? &(*at)->left : &(*at)->right;
  }
  struct node* gone = *at;
  if (!gone) return 0;
  if (gone->left && gone->right) {
    struct node** next = &gone->right;
    while ((*next)->left) next = &(*next)->left;
    struct node* other = *next;
    *next = other->right;
    other->left = gone->left;
    other->right = gone->right;
    *at = other;
  } else {
    *at = gone->left ? gone->left : gone->right;
  }
  free(gone);
  return parent;
}
static void walk(const struct node* node, void (*action)(const void*, VISIT, int), int depth) {
  if (!node->left && !node->right) {
    action(node, leaf, depth);
    return;
  }
  action(node, preorder, depth);
  if (node->left) walk(node->left, action, depth + 1);
  action(node, postorder, depth);
  if (node->right) walk(node->right, action, depth + 1);
  action(node, endorder, depth);
}
void twalk(const void* root, void (*action)(const void*, VISIT, int)) {
  if (root && action) walk(root, action, 0);
}
void tdestroy(void* root, void (*release)(void*)) {
  struct node* node = root;
  if (!node) return;
  tdestroy(node->left, release);
  tdestroy(node->right, release);
  release((void*)node->key);
  free(node);
}

static ENTRY* table;
static size_t room, used;
int hcreate(size_t count) {
  if (table) {
    errno = ENOMEM;
    return 0;
  }
  if (count > 4096) __whittle_unsupported("hcreate for more than 4,096 items");
  room = count ? count : 1;
  used = 0;
  table = calloc(room, sizeof *table);
  return table != 0;
}
void hdestroy(void) {
  free(table);
  table = 0;
}
// There may be room for more than was asked for.
ENTRY* hsearch(ENTRY item, ACTION action) {
  if (!table) __whittle_unsupported("hsearch without a table");
  for (size_t i = 0; i < used; i++)
    if (strcmp(table[i].key, item.key) == 0) return &table[i];
  if (action == FIND) {
    errno = ESRCH;
    return 0;
  }
  if (used == room) {
    if (__whittle_nondet_bool()) __whittle_unsupported("hsearch that enters more items than hcreate was told");
    errno = ENOMEM;
    return 0;
  }
  table[used] = item;
  return &table[used++];
}
