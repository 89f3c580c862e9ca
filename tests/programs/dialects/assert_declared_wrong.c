// expect: false(unreach-call) line 5
// Declared by hand, with a type of its own.
extern int assert(long condition, const char *text);
int main(void) {
  assert(2 > 3, "order");
  return 0;
}
