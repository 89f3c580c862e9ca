// expect: true
// proved-by: explicit guided dash merge dpr
// property: no-overflow
int main(void) {
  signed char c;
  int r = (c = 127, c++);
  (void)r;
  (void)c;
  return 0;
}
