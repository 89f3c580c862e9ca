// expect: false(no-bad-shift) line 3
int main(void) {
  int a[3] = {((__int128)(0 << 33)), (33 ^ 100)};
  return a[0];
}
