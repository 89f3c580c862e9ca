// expect: unknown
extern int __CPROVER_rounding_mode;
int main(void) {
  __CPROVER_rounding_mode = 2;
  assert(1.0f / 3.0f > 0.3f);
  return 0;
}
