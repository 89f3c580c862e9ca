// expect: false(unreach-call) line 6
// property: unreach-call
// Read from another place than it was copied from.
extern void __VERIFIER_error(void);
static void check(int holds) {
  if (!holds) __VERIFIER_error();
}
#define N 60
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
    check(few[j] == all[3 * j + 1]);
    i = i + 3;
    j = j + 1;
  }
  return 0;
}
