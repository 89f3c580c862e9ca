// expect: false(valid-deref)
int *last;
int main(void) {
  for (;;) {
    int x = 1;
    if (last) return *last;
    last = &x;
  }
}
