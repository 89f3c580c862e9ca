// expect: false(valid-deref)
// The loop has nothing outside of the block.
int main(void) {
  int *last = 0;
  do {
    int x = 1;
    if (last) return *last;
    last = &x;
  } while (1);
}
