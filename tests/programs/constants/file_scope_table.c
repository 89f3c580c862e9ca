// expect: false(no-bad-shift) line 4
int bits[] = {
    1 << 3,
    1 << 40,
};
int main(void) {
  return bits[0];
}
