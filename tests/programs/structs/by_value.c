// expect: true
#include <assert.h>
struct pair { int x, y; };
struct big { int data[20]; struct pair tail; };
static struct pair flip(struct pair p) { return (struct pair){p.y, p.x}; }
static struct big change(struct big b) {
  b.data[7] = 99;
  b.tail = flip(b.tail);
  return b;
}
int main(void) {
  struct big original = {{0}, {1, 2}};
  struct big changed = change(original);
  assert(original.data[7] == 0 && original.tail.x == 1);
  assert(changed.data[7] == 99 && changed.tail.x == 2 && changed.tail.y == 1);
  struct pair p = flip(changed.tail), q;
  q = p;
  assert(q.x == 1 && q.y == 2);
  return 0;
}
