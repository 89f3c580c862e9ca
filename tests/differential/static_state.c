#include <stdio.h>
static int counter(void) {
  static int n = 5;
  return n += 3;
}
static int *global_pointer;
static int target = 11;
static int *initialised = &target;
static const char *names[] = {"zero", "one", "two"};
static int table[3][2] = {{1, 2}, {3}, [2][1] = 6};
int main(void) {
  for (int i = 0; i < 3; i++) printf("%d\n", counter());
  printf("%d %d %s %d%d%d\n", global_pointer == 0, *initialised, names[2], table[1][0], table[1][1], table[2][1]);
  ++*initialised;
  printf("%d\n", target);
  return 0;
}
