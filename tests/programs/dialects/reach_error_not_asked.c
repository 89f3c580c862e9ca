// expect: true
// time: 3
// property: no-overflow
int main(void) {
  int x = nondet_int();
  if (x > 100) reach_error();
  if (x < -100) assert(0);
  return x + 1;
}
