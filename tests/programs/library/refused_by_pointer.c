// expect: unknown
#include <assert.h>
#include <stdlib.h>
int main(void) {
  int (*convert)(const char *, char **, const char *) = (int (*)(const char *, char **, const char *))0;
  char *(*f)(long) = l64a;
  assert(convert == 0);
  return f(3) == 0;
}
