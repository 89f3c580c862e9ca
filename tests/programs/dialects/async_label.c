// expect: unknown
// A thread that runs the labelled statement: not passed over in silence.
int g;
void f(void) { g = 1; }
int main(void) {
__CPROVER_ASYNC_1:
  f();
  assert(g == 1);
  return 0;
}
