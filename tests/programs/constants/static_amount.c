// expect: false(no-bad-shift) line 4
static const int B = 32;
int main(void) {
  return 1u << B;
}
