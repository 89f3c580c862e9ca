// Constants of all these places that fit.
// property: no-overflow
// expect: true
#include <limits.h>

static const int N = 4; enum { A = 1 << 3, B = A * 2 };
int a[N * 2], b[] = { [A + 1] = 2 }; struct s { int x : A / 2; };
int main(void) { int x[A + B] = {0}; switch (x[0]) { case A * 2: return 1; } return b[0]; }
