// expect: false(no-bad-shift) line 5
struct pair { int a, b; };
int main(void) {
  int one = 1;
  struct pair p = {.b = 8 >> -1, .a = 2};
  return p.a + one;
}
