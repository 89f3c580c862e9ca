// expect: true
// What ends with one block is not what begins with the next.
int *last, sink;
int main(void) {
  { int y = 2; last = &y; }
  { int z = 3; last = &z; sink = *last; }
  for (int i = 0; i < 2; i++) last = &i;
  for (int j = 0; j < 2; j++) last = &j;
  for (int k = 0; k < 2; k++) {
    { int y = 2; last = &y; }
    int z = 3;
    last = &z;
    sink += *last;
  }
  return sink - 9;
}
