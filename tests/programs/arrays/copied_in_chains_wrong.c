// expect: false(unreach-call) line 15
// property: unreach-call
// time: 120
// One copy leaves out the last element.
extern void __VERIFIER_error(void);
#define N 40
int main(void) {
  int a[N], b[N], c[N], d[N], e[N];
  for (int i = 0; i < N; i++) b[i] = a[i];
  for (int i = 0; i < N; i++) c[i] = b[i];
  for (int i = 0; i < N - 1; i++) d[i] = c[i];
  for (int i = 0; i < N; i++) e[i] = d[i];
  for (int i = 0; i < N; i++)
    if (a[i] != e[i])
      __VERIFIER_error();
  return 0;
}
