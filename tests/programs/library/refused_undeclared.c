// expect: unknown
// property: unreach-call
// Known by its name, without a header.
int main(void) {
  char text[3] = "ab";
  memfrob(text, 2);
  assert(text[0] == 'a');
  return 0;
}
