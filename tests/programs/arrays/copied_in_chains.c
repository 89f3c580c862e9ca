// expect: true
// property: unreach-call
// proved-by: dash
// time: 120
// Six copies of an array, each made from the one before it.
extern void __VERIFIER_error(void);
#define N 100000
int main(void) {
  static int first[N];
  int a[N], b[N], c[N], d[N], e[N], f[N];
  for (int i = 0; i < N; i++) b[i] = a[i];
  for (int i = 0; i < N; i++) c[i] = b[i];
  for (int i = 0; i < N; i++) d[i] = c[i];
  for (int i = 0; i < N; i++) e[i] = d[i];
  for (int i = 0; i < N; i++) f[i] = e[i];
  for (int i = 0; i < N; i++)
    if (a[i] != f[i]) __VERIFIER_error();
  return first[0];
}
