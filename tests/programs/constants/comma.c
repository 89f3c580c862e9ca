// expect: false(no-div-by-zero)
int main(void) {
  int i = (1, 5/0);
  (void)i;
  return 0;
}
