// expect: false(no-div-by-zero)
int main(void) {
  int i = 5/!1;
  (void)i;
  return 0;
}
