// expect: false(unreach-call) line 9
// The labelled call runs in a thread of its own, before or after what follows.
int g;
void f(void) { g = 1; }
int main(void) {
  int before = g;
__CPROVER_ASYNC_1:
  f();
  assert(g == 1 || before);
  return 0;
}
