// expect: true
// time: 3
int main(void) {
  int x = nondet_int();
  if (x > 3) assert(x >= 4);
  return 0;
}
