// expect: false(valid-deref)
int sink;
int main(void) {
  int *last = 0, again = 0;
back: {
  int x = again;
  if (again) sink = *last;
  last = &x;
  if (!again++) goto back;
}
  return 0;
}
