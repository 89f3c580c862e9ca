// expect: false(no-div-by-zero)
int main(void) {
  int a[3] = {0};
  a[3/0] = 1;
  return 0;
}
