// expect: false(valid-deref)
// What the last round's local was is gone in the next.
int main(void) {
  int *last = 0;
  for (int i = 0; i < 3; i++) {
    int x = i;
    if (last) *last = 3;
    last = &x;
  }
  return 0;
}
