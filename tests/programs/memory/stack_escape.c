// expect: false(valid-deref) line 9
static int *leak(void) {
  int local = 5;
  int *p = &local;
  return p;
}
int main(void) {
  int *p = leak();
  return *p;
}
