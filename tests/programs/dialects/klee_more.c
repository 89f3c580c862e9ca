// expect: true
// proved-by: merge explicit
int main(void) {
  char text[4];
  klee_check_memory_access(text, 4);
  klee_assert(!klee_is_replay());
  klee_get_errno();
  return 0;
}
