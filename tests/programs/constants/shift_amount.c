// expect: false(no-bad-shift) line 3
int main(void) {
  return 1 << 33;
}
