// expect: unknown
// Only calls are threads; other statements are not passed over in silence.
int g;
int main(void) {
__CPROVER_ASYNC_1: { g = 1; }
  assert(g == 1);
  return 0;
}
