// expect: true
// property: unreach-call,valid-deref
// Compilers know the types of libc's functions without a header; `int malloc()` would cut addresses.
int main(void) {
  char *p = malloc(16);
  strcpy(p, "text");
  assert(strlen(p) == 4 && fabs(-2.5) == 2.5);
  free(p);
  return 0;
}
