// expect: false(no-overflow)
// property: no-overflow
int main(void) {
  int r = (int)((unsigned short)65535*(unsigned short)65535);
  (void)r;
  return 0;
}
