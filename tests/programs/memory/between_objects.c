// expect: false(valid-deref) line 7
// One past the end of an array may be computed but not read.
int first[4], second[4];
int main(void) {
  int *end = first + 4;
  if (end == second) return 0;
  return *end;
}
