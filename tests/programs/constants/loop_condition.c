// expect: false(no-bad-shift) line 4
int main(void) {
  int n = 0;
  while (1 << 40) n++;
  return n;
}
