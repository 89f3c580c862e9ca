// expect: true
#include <assert.h>
#include <string.h>
int main(void) {
  char line[] = "a,bb,,ccc";
  char *rest, *token = strtok_r(line, ",", &rest);
  int count = 0, length = 0;
  for (; token; token = strtok_r(0, ",", &rest)) {
    count++;
    length += (int)strlen(token);
  }
  assert(count == 3 && length == 6);
  char other[] = "x y";
  assert(strcmp(strtok(other, " "), "x") == 0 && strcmp(strtok(0, " "), "y") == 0 && !strtok(0, " "));
  return 0;
}
