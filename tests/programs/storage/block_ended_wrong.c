// expect: false(valid-deref)
int main(void) {
  int *p;
  {
    int x = 1;
    p = &x;
  }
  return *p;
}
