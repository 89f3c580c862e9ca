// expect: false(valid-deref) line 5
int data = 5;
int main(void) {
  int (*f)(void) = (int (*)(void)) & data;
  return f();
}
