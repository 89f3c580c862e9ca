// expect: true
#include <assert.h>
#include <string.h>
#include <strings.h>
int main(void) {
  char buffer[32] = "model";
  assert(strlen(buffer) == 5);
  strcat(buffer, " checker");
  assert(strcmp(buffer, "model checker") == 0);
  assert(strchr(buffer, 'c') == buffer + 6 && strrchr(buffer, 'e') == buffer + 11 && !strchr(buffer, 'z'));
  assert(strstr(buffer, "check") == buffer + 6);
  assert(strncmp(buffer, "modal", 3) == 0 && strcmp("a", "b") < 0 && strcasecmp("ABC", "abc") == 0);
  assert(strspn(buffer, "mode") == 4 && strcspn(buffer, " ") == 5 && strpbrk(buffer, "xyz ") == buffer + 5);
  memmove(buffer + 2, buffer, 5);
  assert(memcmp(buffer, "momodel", 7) == 0);
  memset(buffer, 'x', 3);
  assert(memchr(buffer, 'o', 32) == buffer + 3);
  return 0;
}
