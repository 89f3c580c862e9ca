// expect: true
// The program's own definition wins.
static int failed;
int assert(int condition) { return failed += !condition; }
int main(void) {
  assert(0);
  if (failed != 1) __VERIFIER_error();
  return 0;
}
