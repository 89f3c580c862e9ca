// expect: true
// property: unreach-call
// proved-by: dash
// time: 120
// Two counters, one three times as fast: the relation between them is needed to say what was copied.
extern void __VERIFIER_error(void);
static void check(int holds) {
  if (!holds) __VERIFIER_error();
}
#define N 10000
int main(void) {
  int few[N], all[N];
  int i = 2, j = 0;
  while (i < N) {
    few[j] = all[i];
    i = i + 3;
    j = j + 1;
  }
  i = 2;
  j = 0;
  while (i < N) {
    check(few[j] == all[3 * j + 2]);
    i = i + 3;
    j = j + 1;
  }
  return 0;
}
