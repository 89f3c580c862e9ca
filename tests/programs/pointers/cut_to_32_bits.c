// expect: unknown
int main(void) {
  int x = 1;
  int kept = (int)(long)&x;
  int *p = (int *)(long)kept;
  *p = 2;
  return x;
}
