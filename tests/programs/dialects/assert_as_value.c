// expect: true
// Old code uses whatever it calls as an int.
int main(void) {
  int n = 1;
  n && assert(n == 1);
  return 0;
}
