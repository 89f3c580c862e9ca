// expect: true
// proved-by: guided
// The only call of `sum` is never reached, so its parameter is never made; what free() may be given is looked at all the same.
#include <stdlib.h>
struct pair {
  int a;
  long b[2];
};
static struct pair zeros;
static float half = 0.5f;
static int sum(struct pair p) {
  p.a += (int)p.b[1];
  return p.a;
}
int main(void) {
  int n = 0, *h = 0;
  if ((half == 1.0f) > 4) n = sum(zeros);
  free(h);
  return n;
}
