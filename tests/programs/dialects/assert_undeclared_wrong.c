// expect: false(unreach-call) line 4
// No header, no declaration: an assertion all the same.
int main(void) {
  assert(0);
  return 0;
}
