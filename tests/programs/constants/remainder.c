// expect: false(no-div-by-zero) line 3
int main(void) {
  return 7 % (3 - 3);
}
