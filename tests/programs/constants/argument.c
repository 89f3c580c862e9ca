// expect: false(no-div-by-zero)
static void f(int a) {
  (void)a;
}
int main(void) {
  f(3/0);
  return 0;
}
