// expect: true
// proved-by: explicit guided dash merge dpr
// property: no-overflow
int main(void) {
  int r = (signed char)200;
  (void)r;
  return 0;
}
