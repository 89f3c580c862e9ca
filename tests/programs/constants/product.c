// expect: false(no-overflow) line 4
// property: no-overflow
int main(void) {
  long microseconds = 24 * 60 * 60 * 1000 * 1000;
  return microseconds != 0;
}
