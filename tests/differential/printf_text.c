#include <stdio.h>
int main(void) {
  printf("[%s] [%10s] [%-10s] [%.3s] [%10.3s] [%c] [%3c] [%-3c] [%%]\n", "hello", "hello", "hello", "hello", "hello", 'a', 'b', 'c');
  printf("[%s] [%.2s]\n", (char *)0 ? "" : "(null)", "x");
  puts("puts");
  putchar('p');
  putc('q', stdout);
  fputc('\n', stdout);
  fputs("fputs\n", stdout);
  fwrite("fwrite\n", 1, 7, stdout);
  fprintf(stderr, "this goes elsewhere\n");
  char buffer[16];
  int n = snprintf(buffer, sizeof buffer, "%d-%d-%d-%d", 11111, 22222, 33333, 44444);
  printf("%d [%s]\n", n, buffer);
  n = sprintf(buffer, "%x", 48879);
  printf("%d [%s]\n", n, buffer);
  fflush(stdout);
  return 0;
}
