// expect: true
// proved-by: explicit guided dash merge dpr
int main() {
  _Bool b = nondet_bool();
  assert(b == 0 || b == 1);
  return 0;
}
