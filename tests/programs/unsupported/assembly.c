// expect: unknown
int main(void) {
  int x = 1;
  __asm__ volatile("rcll $3, %0" : "+r"(x));
  return x;
}
