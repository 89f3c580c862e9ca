// expect: false(no-div-by-zero) line 3
int main(void) {
  int i = 1 / 0;
  return i;
}
