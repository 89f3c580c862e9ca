// expect: false(no-div-by-zero)
int main(void) {
  unsigned x = 5;
  x %= 0u;
  return 0;
}
