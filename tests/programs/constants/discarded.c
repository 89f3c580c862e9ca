// expect: false(no-div-by-zero)
int main(void) {
  (void)(5/0);
  return 0;
}
