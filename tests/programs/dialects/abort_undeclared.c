// expect: true
// proved-by: explicit guided dash merge
int main() {
  int x = __VERIFIER_nondet_int();
  if (x) abort();
  assert(x == 0);
  return 0;
}
