// expect: false(valid-deref) line 4
int main(void) {
  char text[4];
  klee_check_memory_access(text, 5);
  return 0;
}
