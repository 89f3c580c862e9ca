#include <stdio.h>
struct v { int x, y; };
static int dot(const struct v *a, struct v b) { return a->x * b.x + a->y * b.y; }
static int total(const int *p) {
  int t = 0;
  while (*p) t += *p++;
  return t;
}
int main(void) {
  printf("%d %d\n", dot(&(struct v){1, 2}, (struct v){.y = 4}), total((int[]){3, 4, 5, 0}));
  struct v list[] = {[1] = {2, 3}, {4, 5}};
  printf("%zu %d %d\n", sizeof list / sizeof *list, list[0].x, list[2].y);
  const char *s = (char[]){'o', 'k', 0};
  puts(s);
  return 0;
}
