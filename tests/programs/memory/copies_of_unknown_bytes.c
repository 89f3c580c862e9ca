// expect: true
// proved-by: explicit guided merge
#include <string.h>
#include <assert.h>
#include <stdlib.h>
struct s { char c; int i; };
struct s give(struct s x) { return x; }
int main(void) {
  struct s a; a.c = 1; a.i = 2;
  struct s b = a;
  assert(memcmp(&a, &b, sizeof a) == 0);
  unsigned char u[8], v[8], w[8];
  memcpy(v, u, 8); memcpy(w, v, 8);
  assert(w[3] == u[3]);
  u[3] = 7;
  assert(w[3] == v[3]);
  memmove(v + 1, v, 7);
  assert(v[4] == w[3] && v[1] == v[0]);
  int *p = malloc(40), *q = malloc(40);
  memcpy(q, p, 40);
  free(p);
  int *r = malloc(40);
  r[1] = q[1];
  assert(r[1] == q[1]);
  memcpy(r + 5, q + 5, 4);
  assert(r[5] == q[5]);
  free(q); free(r);
  return 0;
}
