#include <stdio.h>
struct s { unsigned a : 1, b : 5; signed c : 6; unsigned : 0; unsigned long long d : 50; int e : 14; };
int main(void) {
  struct s s = {0};
  for (int i = 0; i < 70; i += 7) {
    s.a = (unsigned)i;
    s.b += 3;
    s.c -= 5;
    s.d = s.d * 3 + 1;
    s.e = i * 300;
    printf("%u %u %d %llu %d\n", s.a, s.b, s.c, (unsigned long long)s.d, s.e);
  }
  printf("%zu\n", sizeof s);
  return 0;
}
