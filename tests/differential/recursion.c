#include <stdio.h>
static int moves;
static void hanoi(int n, char from, char to, char via) {
  if (n == 0) return;
  hanoi(n - 1, from, via, to);
  if (++moves <= 5) printf("%c->%c ", from, to);
  hanoi(n - 1, via, to, from);
}
static int ackermann(int m, int n) { return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1)); }
static void permute(char *s, int k) {
  if (!s[k]) {
    printf("%s ", s);
    return;
  }
  for (int i = k; s[i]; i++) {
    char t = s[k];
    s[k] = s[i];
    s[i] = t;
    permute(s, k + 1);
    s[i] = s[k];
    s[k] = t;
  }
}
int main(void) {
  hanoi(8, 'a', 'c', 'b');
  printf("\n%d %d\n", moves, ackermann(2, 5));
  char s[] = "abcd";
  permute(s, 0);
  printf("\n");
  return 0;
}
