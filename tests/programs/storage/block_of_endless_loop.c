// expect: true
// One object at a time, however often.
int *last;
int main(void) {
  do {
    int x = 1;
    last = &x;
    *last = 2;
  } while (1);
}
