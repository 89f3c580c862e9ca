// expect: true
struct pair { int a, b; };
static int sum(const struct pair *p) {
  return p->a + p->b;
}
int main(void) {
  int total = 0;
  for (int i = 0; i < 3; i++) {
    struct pair *p = &(struct pair){i, 1};
    total += sum(p);
  }
  int *q = (int[]){1, 2};
  if (total != 6 || q[1] != 2) return *(int *)0;
  return 0;
}
