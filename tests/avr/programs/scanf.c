#include <stdio.h>
int a, b;
unsigned c;
char word[10];
int main(void) {
  int n = sscanf("12 -7 ff hello", "%d %d %x %9s", &a, &b, &c, word);
  return n + a + b + (int)c;
}
