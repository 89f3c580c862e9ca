// expect: true
// time: 3
// Undeclared inputs have the type of their name, not int.
int main(void) {
  int byte = nondet_uchar(), small = __VERIFIER_nondet_short(), truth = nondet_bool(), i = nondet_int8_t();
  assert(byte >= 0 && byte < 256);
  assert(small >= -32768 && small < 32768);
  assert(truth == 0 || truth == 1);
  assert(i >= -128 && i < 128);
  assert(sizeof nondet_ulonglong() == 8 && sizeof nondet_size_t() == sizeof(char *));
  assert(sizeof nondet_double() == 8 && sizeof nondet_pointer() == sizeof(char *));
  return 0;
}
