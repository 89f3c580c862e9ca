#include <stddef.h>
#include <stdio.h>
struct inner { char a; short b; };
struct outer { struct inner list[3]; double d; union { int i; float f; } u; unsigned x : 3, y : 7; char name[5]; };
static struct outer make(int n) {
  struct outer o = {.d = n / 2.0, .u.i = n, .x = (unsigned)n, .y = 100, .name = "abcd"};
  for (int i = 0; i < 3; i++) o.list[i] = (struct inner){(char)(n + i), (short)(n * i)};
  return o;
}
int main(void) {
  struct outer a = make(5), b = a, *p = &b;
  p->list[1].b = -1;
  p->name[0] = 'X';
  printf("%d %d %g %d %u %u %s\n", a.list[1].a, a.list[1].b, a.d, a.u.i, a.x, a.y, a.name);
  printf("%d %d %s\n", b.list[1].b, b.list[2].b, b.name);
  printf("%zu %zu %zu %zu\n", sizeof a, offsetof(struct outer, d), offsetof(struct outer, u), offsetof(struct outer, name));
  p->u.f = 1.0f;
  printf("%x\n", (unsigned)b.u.i);
  return 0;
}
