// expect: true
// search.h: trees and tables.
#include <assert.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

int __VERIFIER_nondet_int(void);
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int seen, last;
static void visit(const void *node, VISIT which, int depth) {
  if (which != postorder && which != leaf) return;
  int key = **(int *const *)node;
  assert(depth <= 2 && key > last);
  last = key;
  seen++;
}
static void nothing(void *key) { (void)key; }

int main(void) {
  int keys[] = {2, 1, 3}, one_more = __VERIFIER_nondet_int();
  if (one_more < 1 || one_more > 4) return 0;
  void *root = NULL;
  for (int i = 0; i < 3; i++) assert(**(int **)tsearch(&keys[i], &root, compare) == keys[i]);
  int **found = tsearch(&one_more, &root, compare);
  assert(found && **found == one_more && (one_more == 4) == (*found == &one_more));
  twalk(root, visit);
  assert(seen == (one_more == 4 ? 4 : 3));
  assert(tdelete(&keys[0], &root, compare) && !tfind(&keys[0], &root, compare) && tfind(&keys[1], &root, compare));
  tdestroy(root, nothing);

  assert(hcreate(4));
  ENTRY *entry = hsearch((ENTRY){.key = "red", .data = keys}, ENTER);
  assert(entry && entry->data == keys);
  assert(hsearch((ENTRY){.key = "red", .data = NULL}, ENTER)->data == keys);
  assert(!hsearch((ENTRY){.key = "blue"}, FIND));
  hdestroy();
  return 0;
}
