#include <stdio.h>
#include <stdlib.h>
static void last(void) { puts("last"); }
static void first(void) { puts("first"); }
int main(void) {
  atexit(last);
  atexit(first);
  puts("main");
  exit(300);
}
