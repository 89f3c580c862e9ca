// expect: true
#include <assert.h>
struct point { int x, y, z; };
static int sparse[10] = {[2] = 5, [7] = 9, 10};
static struct point points[] = {{.y = 2}, {1, .z = 3}, [3] = {.x = 4}};
static int *cross = &sparse[7];
static char text[8] = "abc";
static struct { char *name; int (*f)(void); } entry;
int main(void) {
  assert(sparse[0] == 0 && sparse[2] == 5 && sparse[8] == 10);
  assert(sizeof points / sizeof *points == 4 && points[1].z == 3 && points[2].x == 0 && points[3].x == 4);
  assert(*cross == 9 && cross[1] == 10 && text[3] == 0 && text[7] == 0);
  assert(entry.name == 0 && entry.f == 0);
  struct point local = {.z = points[1].x};
  assert(local.x == 0 && local.z == 1);
  int *literal = (int[]){1, 2, 3};
  assert(literal[2] == 3);
  return 0;
}
