// expect: false(valid-deref) line 4
int main(void) {
  char *text = "constant";
  text[0] = 'C';
  return 0;
}
