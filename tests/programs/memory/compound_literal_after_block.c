// expect: false(valid-deref) line 7
int main(void) {
  int *p;
  {
    p = &(int){5};
  }
  return *p;
}
